import type { ImportUse } from '../diagnostics/parsed-file.ts';
import type { Place, ValueFlow } from '../diagnostics/settings-facts.ts';
import { STANDARD_LIBRARY } from '../diagnostics/standard-library.ts';
import { boundNames } from './python-imports.ts';

/** The part of a flow that can carry settings: most variables hold numbers and tensors from their first line to their last. */
export function keepLive(
  flow: ValueFlow,
  names: readonly string[],
  imports: readonly ImportUse[],
): ValueFlow {
  const foreign = new Set(imports.filter(isForeign).flatMap(boundNames));
  const own = new Set(
    [...names, ...imports.flatMap(boundNames)].filter((name) => !foreign.has(name)),
  );
  const isOwn = (dotted: string): boolean => own.has(dotted.split('.')[0] ?? '');
  const live = liveNodes(flow, isOwn);
  const isLive = ({ node }: Place): boolean => live.has(node) || isRoot(node, isOwn);
  const flows = flow.flows.filter(({ from }) => isLive(from));
  const targets = new Set(flows.map(({ to }) => to));
  return {
    ...flow,
    flows,
    reads: flow.reads.filter(({ at }) => isLive(at)),
    consumed: flow.consumed.filter(isLive),
    opened: flow.opened.filter(isLive),
    removed: flow.removed.filter(isLive),
    spreads: flow.spreads.filter(({ at }) => isLive(at)),
    // What is handed to the repository's own functions tells that their parameters may be anything.
    unknown: flow.unknown.filter(
      (node) =>
        live.has(node) ||
        targets.has(node) ||
        /^(return|field):/.test(node) ||
        isOwnArgument(node, isOwn),
    ),
    handedOn: flow.handedOn.filter(isOwn),
  };
}

function isForeign({ level, module }: ImportUse): boolean {
  return level === 0 && STANDARD_LIBRARY.has(module.split('.')[0] ?? '');
}

/** What may come from outside the file, or from a loader. */
function isRoot(node: string, isOwn: (dotted: string) => boolean): boolean {
  if (/^(load|field):/.test(node) || node.startsWith('result:self:')) return true;
  const dotted = /^(?:import|result):(.*)$/.exec(node)?.[1];
  return dotted !== undefined && isOwn(dotted);
}

function isOwnArgument(node: string, isOwn: (dotted: string) => boolean): boolean {
  return (
    node.startsWith('arg:self:') || (node.startsWith('arg:') && isOwn(node.slice('arg:'.length)))
  );
}

function liveNodes(flow: ValueFlow, isOwn: (dotted: string) => boolean): ReadonlySet<string> {
  const onward = new Map<string, string[]>();
  for (const { from, to } of flow.flows)
    onward.set(from.node, [...(onward.get(from.node) ?? []), to]);
  const parameters = flow.functions.flatMap(({ symbol, parameters: all }) =>
    all.map((name) => `v:${symbol}:${name}`),
  );
  const starts = [...flow.sources, ...flow.typed].map(({ node }) => node);
  const roots = [...onward.keys()].filter((node) => isRoot(node, isOwn));
  const live = new Set<string>();
  const work = [...parameters, ...starts, ...roots];
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    if (live.has(node)) continue;
    live.add(node);
    work.push(...(onward.get(node) ?? []));
  }
  return live;
}
