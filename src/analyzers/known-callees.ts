import type { SettingsSource } from '../diagnostics/settings-facts.ts';

const LOADERS: readonly (readonly [RegExp, SettingsSource['format'], boolean])[] = [
  [/^(ruamel\.)?yaml\.(safe_load|load|full_load|unsafe_load)$|^(safe|full)_load$/, 'yaml', false],
  [/^OmegaConf\.load$|^omegaconf\.OmegaConf\.load$/, 'yaml', true],
  [/^json5?\.loads?$/, 'json', false],
  [/^(tomllib|tomli|toml)\.loads?$/, 'toml', false],
  [/(^|\.)(load|read)_ya?ml(_file)?$/, 'yaml', false],
  [/(^|\.)(load|read)_json(_file)?$/, 'json', false],
  [/(^|\.)(load|read)_toml(_file)?$/, 'toml', false],
];

/** Calls that give back what they take, in a form whose keys are attributes too where the second is true. */
const WRAPPERS: readonly (readonly [RegExp, boolean])[] = [
  [/^(copy\.)?(deepcopy|copy)$|^dict$|^OmegaConf\.(to_container|to_object)$/, false],
  [/^(easydict\.)?(EasyDict|edict)$|^(munch\.)?(Munch|munchify|Munch\.fromDict)$/, true],
  [/(^|[._])(to_)?(ns|namespace|attr_?dict|dot_?dict|dotted_?dict|attribute_?dict)$/i, true],
  [/^(box\.)?Box$|^addict\.Dict$|^(ml_collections\.)?ConfigDict$|^OmegaConf\.create$/, true],
];

/** Calls that lay mappings over one another and give back the whole. */
const MERGES =
  /^OmegaConf\.(unsafe_)?merge$|(^|[._])(deep_?|recursive_?)?(merge|update|overlay|override)(_?(dicts?|configs?|cfgs?|settings|nested|recursive(ly)?))?$/i;

/** Calls that show or store a value without using its keys. */
const SINKS =
  /^(print|pprint|pprint\.pprint|len|str|repr|bool|type|id|isinstance|json\.dumps?|yaml\.(safe_)?dump|OmegaConf\.(to_yaml|save|set_struct|set_readonly)|wandb\.init|wandb\.config\.update|(\w+\.)*log(ger|ging)?\.(debug|info|warning|error))$/;

/** How a call loads settings, or undefined when it does not. */
export function loaderOf(callee: string): Pick<SettingsSource, 'format' | 'dotted'> | undefined {
  const found = LOADERS.find(([pattern]) => pattern.test(callee));
  return found && { format: found[1], dotted: found[2] };
}

/** Whether a call gives back what it takes, and with attributes; undefined when it does not. */
export function wrapperOf(callee: string): { readonly dotted: boolean } | undefined {
  const found = WRAPPERS.find(([pattern]) => pattern.test(callee));
  return found && { dotted: found[1] };
}

/** Whether a call gives back what it takes as one mapping. */
export function isMerge(callee: string): boolean {
  return MERGES.test(callee);
}

/** Whether a call only shows or stores what it takes. */
export function isSink(callee: string): boolean {
  return SINKS.test(callee);
}
