/** `Model`, `type[Model]`, `Box[int]` */
const CLASS = /^(?:type\[)?(\w+)(?:\[.*\])?\]?$/;

/** Whether an object can be of nothing but classes of the repository, by what a type checker tells of its name: what else it may be, as what a package makes, may have more. */
export function isOnlyOf(
  classes: ReadonlySet<string>,
  {
    of,
    owner,
    before,
  }: {
    readonly of: string | undefined;
    /** The class that is spoken of. */
    readonly owner: string;
    /** The text before. */
    readonly before: string;
  },
): boolean {
  const whole = wholeType(of);
  if (whole === undefined) return false;
  if (whole.kind === 'parameter' && !isDeclared(whole.name, owner, before)) return false;
  return whole.types.every((type) => {
    const [, name = ''] = CLASS.exec(type) ?? [];
    return name === 'None' || classes.has(name);
  });
}

/** What a type checker says that a name is: `(parameter) model: Model | None`. */
interface WholeType {
  /** `variable`, `parameter`, `property`; empty for classes and for what functions return. */
  readonly kind: string;
  readonly name: string;
  /** All that it may be: of a class or of a call the class or what is returned. */
  readonly types: readonly string[];
}

/** Reads what a type checker tells when it is asked for a name; undefined where it tells of no one type. */
function wholeType(told: string | undefined): WholeType | undefined {
  // What follows is the documentation.
  const [said = ''] = (told ?? '').split(/\n\n|\n-{3,}/);
  const [, kind = '', name = '', type = ''] = /^\((\w+)\) (\w+): (.+)$/.exec(said) ?? [];
  if (type !== '') return { kind, name, types: partsOf(type) };
  const [, owner] = /^(?:class |\(class\) )(\w+)\b/.exec(said) ?? [];
  if (owner !== undefined) return { kind: '', name: owner, types: [owner] };
  // Of overloads each has a line and a type of its own.
  const isOverloaded = (said.match(/\bdef \w+/g) ?? []).length > 1;
  const [, returned] = /\) -> ([^\n]+)$/.exec(said) ?? [];
  return returned === undefined || isOverloaded
    ? undefined
    : { kind: '', name: '', types: partsOf(returned.replace(/^\((.*)\)$/, '$1')) };
}

function partsOf(type: string): string[] {
  return type.split(' | ');
}

const SIGNATURE = /\bdef\s+\w+\s*\(([\s\S]*?)\)\s*(?:->[^\n]*)?:[ \t]*(?:#.*)?$/gm;

/** Whether a parameter is declared to be of a class, or was asked whether it is, in the text before: else the type is that of its default, and others may be given. */
function isDeclared(name: string, owner: string, before: string): boolean {
  const named = new RegExp(String.raw`\b${name}\b`);
  const signatures = [...before.matchAll(SIGNATURE)];
  const from = signatures.findLast(([, parameters = '']) => named.test(parameters))?.index;
  const body = before.slice(from ?? 0);
  return (
    new RegExp(String.raw`\b${name}\s*:[^=)\n]*\b${owner}\b`).test(body) ||
    new RegExp(String.raw`\bisinstance\(\s*${name}\b`).test(body)
  );
}
