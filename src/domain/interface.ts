import { z } from 'zod';

/** One import statement of a Python file, `from ..a import b as c` being module `a`, level 2, names [{b, c}]. */
export const Import = z.strictObject({
  module: z.string(),
  /** Leading dots; 0 for an absolute import. */
  level: z.int().min(0),
  /** Null for `import module`; `[{name: '*'}]` for a star. */
  names: z.array(z.strictObject({ name: z.string(), alias: z.string().nullable() })).nullable(),
  /** Inside `try: … except ImportError`, `if TYPE_CHECKING:` or a function. */
  guarded: z.boolean(),
});
export type Import = Readonly<z.infer<typeof Import>>;

/** A function or method, a class, or a constant at module level. */
export const Definition = z.strictObject({
  kind: z.enum(['function', 'class', 'constant']),
  name: z.string(),
  /** One line as a reader would write it: `def f(x: Tensor, *, rate: float = 0.1) -> Tensor`, `class Net(nn.Module)`, `BATCH = 32`. */
  signature: z.string(),
  /** The first line of its docstring, or empty. */
  summary: z.string(),
  /** For a class: methods and class-level fields; else empty. */
  members: z.array(
    z.strictObject({ name: z.string(), signature: z.string(), summary: z.string() }),
  ),
  /** Public attributes that a class's constructor sets beyond its members, with their annotations; absent where there are none. */
  fields: z.array(z.string()).exactOptional(),
});
export type Definition = Readonly<z.infer<typeof Definition>>;

/** What others must know of a file besides its signatures, read off its code. */
export const InterfaceFacts = z.strictObject({
  /** Names between which it chooses, by what holds them: `SUMS: gated, plain`. */
  registered: z.array(z.string()),
  /** Keys that it takes from anything, dotted: of settings, of other mappings, and attributes. */
  keysRead: z.array(z.string()),
  /** Keys that it takes from settings, whole; absent in entries of earlier versions. */
  settingsRead: z.array(z.string()).exactOptional(),
  /** Paths that it names and writes or reads; holes stand as `{}`. */
  files: z.array(z.string()),
  /** Flags of its command line. */
  flags: z.array(z.string()),
});
export type InterfaceFacts = Readonly<z.infer<typeof InterfaceFacts>>;

/** What a file offers and needs, read off its syntax tree; never invented. Empty lists for files that are not Python. */
export const FileInterface = z.strictObject({
  imports: z.array(Import),
  definitions: z.array(Definition),
  /** Every name bound at module level, imports included: what `from file import name` can find. */
  names: z.array(z.string()),
  /** `__getattr__`, `globals()[…] =` or a star import of something that is not local: its names can't be known. */
  dynamic: z.boolean(),
  /** Absent where there are none, and in entries of earlier versions. */
  facts: InterfaceFacts.exactOptional(),
});
export type FileInterface = Readonly<z.infer<typeof FileInterface>>;

export const EMPTY_INTERFACE: FileInterface = {
  imports: [],
  definitions: [],
  names: [],
  dynamic: false,
};

/** The interface as lines for a prompt: imports and private names left out, one line a definition or member. */
export function renderInterface({ definitions }: FileInterface): string {
  return definitions
    .filter(isPublic)
    .flatMap(({ signature, summary, members, fields }) => [
      withSummary(signature, summary),
      ...(fields ? [`    fields: ${fields.join(', ')}`] : []),
      ...members.filter(isPublic).map((m) => `    ${withSummary(m.signature, m.summary)}`),
    ])
    .join('\n');
}

/** The classes and functions by name alone, for readers who point at code and do not call it. */
export function namesOf(whole: FileInterface): FileInterface {
  const nameOf = ({ kind, name }: Pick<Definition, 'kind' | 'name'>): string =>
    `${kind === 'class' ? 'class' : 'def'} ${name}`;
  return {
    ...whole,
    definitions: whole.definitions
      .filter((each) => each.kind !== 'constant' && isPublic(each))
      .map((each) => ({
        ...{ kind: each.kind, name: each.name, summary: each.summary },
        signature: nameOf(each),
        members: each.members
          .filter(({ name, signature }) => isPublic({ name }) && /\bdef /.test(signature))
          .filter(({ name }) => !name.startsWith('__'))
          .map((member) => ({ ...member, signature: nameOf({ ...member, kind: 'function' }) })),
      })),
  };
}

/** `_name` is nobody else's; `__init__` says how a class is made. */
function isPublic({ name }: { readonly name: string }): boolean {
  return !name.startsWith('_') || /^__\w+__$/.test(name);
}

function withSummary(signature: string, summary: string): string {
  return summary ? `${signature}  # ${summary}` : signature;
}

/** The facts as lines for a prompt; empty where there are none. Of what may be a key, those count that are `known`, or read off settings. */
export function renderFacts({ facts }: FileInterface, known: readonly string[]): string {
  if (!facts) return '';
  const { registered, files, flags } = facts;
  const keysRead = settingsKeys(facts, known);
  return [
    ...(registered.length > 0 ? [`names: ${registered.join('; ')}`] : []),
    ...(keysRead.length > 0 ? [`reads keys: ${keysRead.join(', ')}`] : []),
    ...(files.length > 0 ? [`files: ${files.join(', ')}`] : []),
    ...(flags.length > 0 ? [`flags: ${flags.join(', ')}`] : []),
  ].join('\n');
}

function settingsKeys(
  { keysRead, settingsRead = [] }: InterfaceFacts,
  known: readonly string[],
): string[] {
  return [...new Set([...settingsRead, ...keysRead.filter((key) => known.includes(key))])];
}
