import { parseDocument } from 'yaml';

const NAME = /^\s*["']?([A-Za-z0-9][A-Za-z0-9._-]*)/;

/** The one spelling of a distribution's name that tools compare: lower case, words joined by hyphens. */
export function normalisePackage(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** The packages that a file declares, normalised, or null when it is not a file that declares packages. */
export function readDeclared(path: string, text: string): string[] | null {
  const name = path.split('/').at(-1) ?? '';
  if (
    /(^|\/)(requirements(\/[^/]+|[\w.-]*)|(dev|test|base|deps|dependencies)[\w-]*)\.(txt|in)$/.test(
      path,
    )
  )
    return normalised(requirementNames(text));
  if (name === 'pyproject.toml') return normalised(projectNames(text));
  if (/^(conda[\w.-]*|environment[\w.-]*)\.ya?ml$/.test(name)) return normalised(condaNames(text));
  if (name === 'setup.py' || name === 'setup.cfg') return normalised(setupNames(text));
  return null;
}

function normalised(names: readonly string[]): string[] {
  return [...new Set(names.map(normalisePackage))];
}

function requirementNames(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const egg = /#egg=([\w.-]+)/.exec(line)?.[1];
    if (egg !== undefined) return [egg];
    const repository = /^\s*(?:-e\s+)?git\+\S*\/([\w.-]+?)(?:\.git)?(?:@\S*)?\s*$/.exec(line)?.[1];
    return repository === undefined ? nameIn(line) : [repository];
  });
}

function nameIn(requirement: string): string[] {
  const name = NAME.exec(requirement)?.[1];
  return name === undefined ? [] : [name];
}

/** Read without a TOML parser: every string in an array of a section or key about dependencies, and keys of Poetry's tables. */
function projectNames(text: string): string[] {
  const names: string[] = [];
  for (const section of text.split(/^(?=\[)/m)) {
    const header = /^\[+\s*([^\]]+?)\s*\]+/.exec(section)?.[1] ?? '';
    const body = section.replace(/^\[+[^\]]+\]+/, '').replace(/(^|\s)#.*$/gm, '');
    if (/^tool\.(poetry|pixi|pdm).*dependencies$/.test(header))
      names.push(...[...body.matchAll(/^["']?([\w.-]+)["']?\s*=/gm)].map(([, key = '']) => key));
    const holdsGroups = /(optional-dependencies|dependency-groups|dev-dependencies)$/.test(header);
    const arrays = body.matchAll(
      /^\s*["']?([\w.-]+)["']?\s*=\s*\[((?:[^\]"']|"[^"]*"|'[^']*')*)\]/gm,
    );
    for (const [, key = '', items = ''] of arrays)
      if (holdsGroups || /dependencies$|^requires$/.test(key)) names.push(...stringsIn(items));
  }
  return names;
}

function stringsIn(source: string): string[] {
  return [...source.matchAll(/"([^"]*)"|'([^']*)'/g)].flatMap(([, double, single]) =>
    nameIn(double ?? single ?? ''),
  );
}

function condaNames(text: string): string[] {
  const environment = readEnvironment(text);
  if (typeof environment !== 'object' || environment === null) return [];
  const dependencies: unknown = 'dependencies' in environment ? environment.dependencies : [];
  return stringsOf(dependencies).flatMap((item) => nameIn(item.replace(/^[\w-]+::/, '')));
}

/** Undefined when the file can't be read: broken YAML is reported as such, and aliases that multiply are refused. */
function readEnvironment(text: string): unknown {
  try {
    return parseDocument(text, { logLevel: 'silent' }).toJS({ maxAliasCount: 10 });
  } catch {
    return undefined;
  }
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}

function setupNames(text: string): string[] {
  const arrays = text.matchAll(
    /(?:install_requires|extras_require|setup_requires|tests_require|REQUIRE\w*|requirements)\s*\+?=\s*(?=[[{])/g,
  );
  const lists = text.matchAll(/^install_requires\s*=\s*\n((?:[ \t]+.*\n?)+)/gm);
  return [
    ...[...arrays].flatMap(({ 0: { length }, index }) =>
      stringsIn(bracketed(text, index + length)),
    ),
    ...[...lists].flatMap(([, lines = '']) => requirementNames(lines)),
  ];
}

/** The text from an opening bracket to the one that closes it. */
function bracketed(text: string, start: number): string {
  let depth = 0;
  for (const { 0: mark, index } of text.slice(start).matchAll(/"[^"]*"|'[^']*'|[[({]|[\])}]/g)) {
    if (/^[[({]/.test(mark)) depth += 1;
    else if (/^[\])}]/.test(mark)) depth -= 1;
    if (depth === 0) return text.slice(start, start + index);
  }
  return '';
}
