import type { Block } from './blocks.ts';

const PREFIX = { equation: 'eq', table: 'tab', figure: 'fig', algorithm: 'alg' } as const;

/** Ids and depths (1 for a top section) by block index, and the id that each label stands for. */
export type Identified = {
  ids: (string | undefined)[];
  depths: (number | undefined)[];
  idOfLabel: Map<string, string>;
};

/**
 * Gives each heading and numbered block its id, by position: `sec-2-1`, `eq-3`; a displayed equation that the paper does
 * not number is `eq-u1`, so that the others keep the paper's numbers. A level that was skipped counts as 0,
 * as in LaTeX: a paragraph straight under section 4 is `sec-4-0-1`, so that subsection 4.1 stays `sec-4-1`.
 */
export function identifyBlocks(blocks: readonly Block[], idPrefix: string): Identified {
  const result: Identified = { ids: [], depths: [], idOfLabel: new Map() };
  const depthOfLevel = denseDepths(blocks);
  const counts = { equation: 0, table: 0, figure: 0, algorithm: 0 };
  let unnumbered = 0;
  const position: number[] = [];
  let fronts = 0;
  for (const block of blocks) {
    let id: string | undefined;
    let depth: number | undefined;
    if (block.kind === 'heading') {
      depth = depthOfLevel.get(block.level) ?? 1;
      if (block.front && position.length === 0) {
        fronts += 1;
        // `front` in the id of further ones, because `sec-0-2` is a subsection before the first section.
        id = fronts === 1 ? 'sec-0' : `sec-0-front-${fronts}`;
      } else {
        id = `sec-${advance(position, depth).join('-')}`;
      }
    } else if (block.kind === 'equation' && block.isNumbered === false) {
      unnumbered += 1;
      id = `eq-u${unnumbered}`;
    } else if (block.kind !== 'text') {
      counts[block.kind] += 1;
      id = `${PREFIX[block.kind]}-${counts[block.kind]}`;
    }
    const fullId = id === undefined ? undefined : idPrefix + id;
    result.ids.push(fullId);
    result.depths.push(depth);
    if (fullId !== undefined && block.kind !== 'text') {
      for (const label of block.labels) result.idOfLabel.set(label, fullId);
    }
  }
  return result;
}

/** Levels used, numbered densely: a text with only `#` and `###` has depths 1 and 2. */
function denseDepths(blocks: readonly Block[]): Map<number, number> {
  const levels = new Set<number>();
  for (const block of blocks) if (block.kind === 'heading') levels.add(block.level);
  return new Map([...levels].sort((a, b) => a - b).map((level, index) => [level, index + 1]));
}

/** Moves to the next heading at `depth` and returns its numbers. */
function advance(position: number[], depth: number): readonly number[] {
  position.length = Math.min(position.length, depth);
  while (position.length < depth) position.push(0);
  position[depth - 1] = (position[depth - 1] ?? 0) + 1;
  return position;
}
