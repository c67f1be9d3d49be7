import { doingOf, operationOf } from './operations.ts';
import type { PlainClasses } from './plain-classes.ts';

/** What a type checker says of an operation on an object. */
export interface OperationSaid {
  readonly rule: string;
  readonly message: string;
  /** What it says of the expression's last name; `(variable) s: Settings`. */
  readonly of?: string | undefined;
  /** The expression itself. */
  readonly written: string;
  /** What stands before it. */
  readonly before: string;
}

/** An operation that the class does not provide for. */
export interface OperatorFault {
  readonly name: string;
  readonly says: string;
  readonly remedy: string;
}

interface Claim {
  readonly owner: string;
  readonly method: string;
  /** Others that would do as well. */
  readonly others: readonly string[];
  readonly does: string;
  /** The message names the whole type, and not one of those that it may be. */
  readonly isWhole: boolean;
}

const RULES = /^report(OperatorIssue|IndexIssue|GeneralTypeIssues|CallIssue|ArgumentType)$/;
/** Types of Python's own that know nothing of a repository's classes. */
const OWN_TYPE = /^(Literal\[.*\]|int|float|bool|str|bytes|None|(list|dict|tuple|set)\[[^|]*\])$/;
const OPERATORS: Readonly<Record<string, string>> = {
  ...{ '+': 'add', '-': 'sub', '*': 'mul', '@': 'matmul', '/': 'truediv', '//': 'floordiv' },
  ...{ '%': 'mod', '**': 'pow', '<<': 'lshift', '>>': 'rshift', '&': 'and', '|': 'or', '^': 'xor' },
};
const COMPARISONS: Readonly<Record<string, readonly [string, string]>> = {
  ...{ '<': ['__lt__', '__gt__'], '>': ['__gt__', '__lt__'] },
  ...{ '<=': ['__le__', '__ge__'], '>=': ['__ge__', '__le__'] },
};
const UNARY: Readonly<Record<string, string>> = {
  '-': '__neg__',
  '+': '__pos__',
  '~': '__invert__',
};
/** Python's functions that need one method of what they are given alone or first. */
const ASKING =
  /\b(?<![.\w])(len|list|tuple|set|frozenset|sorted|enumerate|sum|any|all|zip|min|max|next|abs|round)\($/;

/** Whether it depends on what the expression is as a whole, which the message does not say. */
export function needsWholeType({
  rule,
  message,
}: Pick<OperationSaid, 'rule' | 'message'>): boolean {
  return RULES.test(rule) && claimOf({ rule, message, before: '' })?.isWhole === false;
}

/** The fault of which a type checker speaks, where it is one of a class of the repository and of no guess. */
export function operatorFault(
  classes: PlainClasses,
  said: OperationSaid,
): OperatorFault | undefined {
  const claim = RULES.test(said.rule) ? claimOf(said) : undefined;
  if (claim === undefined) return undefined;
  const { owner, method, others, does } = claim;
  const home = classes.lacking(owner, [method, ...others]);
  if (home === undefined || classes.isDefault(owner)) return undefined;
  if (!claim.isWhole && !isWholly(owner, said)) return undefined;
  // Where both are missing, the first says it all.
  if (/^__a?exit__$/.test(method) && classes.lacking(owner, [method.replace('exit', 'enter')]))
    return undefined;
  return {
    name: `${owner}.${method}`,
    says: `${does} a \`${owner}\` of ${home}, which defines no \`${method}\`, so that it fails,`,
    remedy: `Use what \`${owner}\` has, or define \`${method}\` in it.`,
  };
}

function claimOf({
  message,
  before,
}: Pick<OperationSaid, 'rule' | 'message' | 'before'>): Claim | undefined {
  return (
    binaryClaim(message) ??
    unaryClaim(message) ??
    argumentClaim(message, before) ??
    partClaim(message)
  );
}

const BINARY = /^Operator "([^"]+)" not supported for types "([^"]+)" and "([^"]+)"(\n|$)/;

function binaryClaim(message: string): Claim | undefined {
  const [, written = '', left = '', right = ''] = BINARY.exec(message) ?? [];
  if (/^(not )?in$/.test(written)) {
    const others = ['__iter__', '__getitem__'];
    const does = doingOf('contains');
    return { owner: right, method: '__contains__', others, does, isWhole: true };
  }
  const operator = OPERATORS[written] === undefined ? written.replace(/=$/, '') : written;
  const word = OPERATORS[operator];
  const [forward, backward] = COMPARISONS[written] ?? [`__${word ?? ''}__`, `__r${word ?? ''}__`];
  if (written === '' || (word === undefined && COMPARISONS[written] === undefined))
    return undefined;
  const does = `uses \`${written}\` on`;
  const inPlace = `__i${word ?? ''}__`;
  // The other side must be one that can't provide for it either.
  if (left === right)
    return { owner: left, method: forward, others: [backward, inPlace], does, isWhole: true };
  if (OWN_TYPE.test(right))
    return { owner: left, method: forward, others: [inPlace], does, isWhole: true };
  return OWN_TYPE.test(left)
    ? { owner: right, method: backward, others: [], does, isWhole: true }
    : undefined;
}

function unaryClaim(message: string): Claim | undefined {
  const [, written = '', owner = ''] =
    /^Operator "([^"]+)" not supported for type "([^"]+)"$/.exec(message) ?? [];
  const method = UNARY[written];
  return method === undefined
    ? undefined
    : { owner, method, others: [], does: `uses \`${written}\` on`, isWhole: true };
}

const ARGUMENT =
  /^Argument of type "(\w+)" cannot be assigned to parameter "\w+" of type "[^"]+" in function "\w+"\n\s*"\w+" is incompatible with protocol "[^"]+"\n\s*"(__\w+__)" is not present$/;

function argumentClaim(message: string, before: string): Claim | undefined {
  const [, owner = '', method = ''] = ARGUMENT.exec(message) ?? [];
  const asks = ASKING.exec(before)?.[1];
  if (owner === '' || asks === undefined) return undefined;
  const others = method === '__iter__' ? ['__getitem__'] : [];
  return { owner, method, others, does: `gives to \`${asks}\``, isWhole: true };
}

const PARTS: readonly RegExp[] = [
  /^"(?<owner>\w+)" is not iterable\n\s*"(?<method>__a?iter__)" method not defined$/,
  /^"(?<method>__\w+__)" method not defined on type "(?<owner>\w+)"$/,
  /^Object of type "(?<owner>\w+)" cannot be used with "(?:async )?with" because it does not correctly implement (?<method>__\w+__)\n\s*Attribute "__\w+__" is unknown$/,
  /^Object of type "(?<owner>\w+)" is not callable\n\s*Attribute "(?<method>__call__)" is unknown$/,
  /^"(?<owner>\w+)" is not awaitable\n[^\n]*\n\s*"(?<method>__await__)" is not present$/,
];

/** Of these messages each names one of the classes that the object may be of. */
function partClaim(message: string): Claim | undefined {
  const found = PARTS.map((pattern) => pattern.exec(message)?.groups).find((one) => one);
  const { owner = '', method = '' } = found ?? {};
  const operation = operationOf(method);
  const does = method === '__await__' ? 'awaits' : operation && doingOf(operation);
  const others = method === '__iter__' ? ['__getitem__'] : [];
  return does === undefined ? undefined : { owner, method, others, does, isWhole: false };
}

/** Whether an expression is of one class and no other: made of it, or so declared or inferred, and not from a parameter's default. */
function isWholly(owner: string, { of = '', written, before }: OperationSaid): boolean {
  const name = /(\w+)(\(|$)/.exec(written)?.[1] ?? '';
  const [, kind = '', type = ''] = /^\((\w+)\) \w+: (\w+)$/.exec(of) ?? [];
  if (kind === 'parameter')
    return (
      type === owner && new RegExp(String.raw`\b${name}\s*:\s*["']?(\w+\.)*${owner}\b`).test(before)
    );
  if (type === owner) return true;
  return of.startsWith(`class ${owner}(`) || new RegExp(String.raw`\) -> ${owner}$`).test(of);
}
