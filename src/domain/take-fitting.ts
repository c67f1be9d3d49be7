/** Of things in order of weight, those that fit into `tokens` together; one that does not leaves room for lighter ones. */
export function takeFitting<Item>(
  items: readonly Item[],
  tokens: number,
  costOf: (item: Item) => number,
): Item[] {
  let left = tokens;
  return items.filter((item) => {
    const cost = costOf(item);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}
