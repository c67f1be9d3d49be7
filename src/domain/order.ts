/** What ordering needs to know of a file: its path, and the files that come before it. */
export interface Ordered {
  readonly path: string;
  readonly needs: readonly string[];
}

/**
 * The items in an order that puts each after those it needs, otherwise as given. Needs that name no item are ignored;
 * a cycle is broken at its first item in the given order. Deterministic; no zod here, as the workflow imports this.
 */
export function orderByNeeds<Item extends Ordered>(items: readonly Item[]): Item[] {
  const waiting = new Map(items.map((item) => [item.path, item]));
  const ordered: Item[] = [];
  while (waiting.size > 0) {
    const free = [...waiting.values()].find(({ path, needs }) =>
      needs.every((need) => need === path || !waiting.has(need)),
    );
    const next = free ?? firstInCycle(waiting);
    if (!next) break;
    ordered.push(next);
    waiting.delete(next.path);
  }
  return ordered;
}

/** The first item, in the given order, that can be reached from itself; all of `waiting` wait for such a one. */
function firstInCycle<Item extends Ordered>(waiting: ReadonlyMap<string, Item>): Item | undefined {
  const items = [...waiting.values()];
  return items.find(({ path }) => needsOf(path, waiting).has(path)) ?? items[0];
}

/** Everything a file needs, directly or through others. The file itself is in it only when it is part of a cycle. */
export function needsOf(path: string, items: ReadonlyMap<string, Ordered>): Set<string> {
  const found = new Set<string>();
  const queue = (items.get(path)?.needs ?? []).filter((need) => need !== path);
  for (let need = queue.shift(); need !== undefined; need = queue.shift()) {
    if (found.has(need)) continue;
    found.add(need);
    queue.push(...(items.get(need)?.needs ?? []));
  }
  return found;
}

/**
 * The files still to be written whose needs are all settled (written, broken, retired or unknown), in the given order.
 * When files are left and none is ready, the first of them, so that a cycle never stops a run.
 */
export function readyFiles<Item extends Ordered>(
  items: readonly Item[],
  isPlanned: (path: string) => boolean,
): Item[] {
  const known = new Set(items.map(({ path }) => path));
  const planned = items.filter(({ path }) => isPlanned(path));
  const ready = planned.filter(({ path, needs }) =>
    needs.every((need) => need === path || !known.has(need) || !isPlanned(need)),
  );
  return ready.length > 0 ? ready : planned.slice(0, 1);
}
