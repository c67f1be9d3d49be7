/** A count with its noun, which takes an s but for one: `1 part`, `2,400 characters`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
