/** What Python does with an object by asking its class for a method. */
export type Operation =
  | 'contains'
  | 'iterate'
  | 'iterate-async'
  | 'get-item'
  | 'set-item'
  | 'delete-item'
  | 'length'
  | 'enter'
  | 'enter-async'
  | 'call';

interface Demand {
  /** Of each group the class needs one method; the first is the one to be named. */
  readonly methods: readonly (readonly string[])[];
  /** What code does to an object: `iterates over` it. */
  readonly does: string;
}

/** By operation, what a class must have for it. */
const DEMANDS: Readonly<Record<Operation, Demand>> = {
  contains: {
    methods: [['__contains__', '__iter__', '__getitem__']],
    does: 'asks with `in` what is in',
  },
  iterate: { methods: [['__iter__', '__getitem__']], does: 'iterates over' },
  'iterate-async': { methods: [['__aiter__']], does: 'iterates with `async for` over' },
  'get-item': { methods: [['__getitem__']], does: 'subscripts' },
  'set-item': { methods: [['__setitem__']], does: 'sets an item of' },
  'delete-item': { methods: [['__delitem__']], does: 'deletes an item of' },
  length: { methods: [['__len__']], does: 'asks for the length of' },
  enter: { methods: [['__enter__'], ['__exit__']], does: 'uses in a `with`' },
  'enter-async': { methods: [['__aenter__'], ['__aexit__']], does: 'uses in an `async with`' },
  call: { methods: [['__call__']], does: 'calls' },
};

/** What code does to an object in an operation, as the words before the object. */
export function doingOf(operation: Operation): string {
  return DEMANDS[operation].does;
}

/** The method that a class lacks for an operation; undefined where it has what is needed. */
export function lackingFor(
  operation: Operation,
  has: (method: string) => boolean,
): string | undefined {
  return DEMANDS[operation].methods.find((group) => !group.some(has))?.[0];
}

/** The operation that asks for a method; undefined for methods of other operations. */
export function operationOf(method: string): Operation | undefined {
  return OPERATIONS.find((operation) =>
    DEMANDS[operation].methods.some(([named]) => named === method),
  );
}

const OPERATIONS: readonly Operation[] = [
  ...(['contains', 'iterate', 'iterate-async', 'get-item', 'set-item', 'delete-item'] as const),
  ...(['length', 'enter', 'enter-async', 'call'] as const),
];
