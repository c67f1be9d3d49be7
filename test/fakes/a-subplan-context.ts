import { EMPTY_INTERFACE } from '../../src/domain/interface.ts';
import { DEFAULT_LIMITS } from '../../src/domain/run-settings.ts';
import { buildSubplanContext, type SubplanContext } from '../../src/domain/subplan-context.ts';
import { aBlueprint, aFinding, aPaper } from './builders.ts';
import { aState, afterRound, written } from './states.ts';

/** The state after a round that wrote the sums otherwise than planned, with a runner that calls what is not there. */
export function aSubplanContext(): SubplanContext {
  const blueprint = aBlueprint();
  const paths = ['configs/default.yaml', 'src/gated_sum.py', 'run_tasks.py'];
  const state = afterRound(
    aState(),
    paths.map((path) => written(path)),
    { blueprint },
  );
  const sum = {
    ...{ kind: 'class' as const, name: 'GatedSum', signature: 'class GatedSum(nn.Module)' },
    ...{ summary: '', members: [], fields: ['width', 'gate: nn.Linear'] },
  };
  return buildSubplanContext(
    {
      ...{ paper: aPaper(), userRequests: ['Use PyTorch.'], blueprint, limits: DEFAULT_LIMITS },
      state: { ...state, findings: [aFinding({ triedInRounds: [1] })] },
      memory: new Map([
        [
          'src/gated_sum.py',
          {
            purpose: 'Gated and plain sums',
            interface: {
              ...{ ...EMPTY_INTERFACE, definitions: [sum], names: ['GatedSum', 'SUMS'] },
              facts: {
                registered: ['SUMS: gated, plain'],
                keysRead: ['train.lr'],
                files: [],
                flags: [],
              },
            },
            notes: 'Sums over n; (batch, n, d) -> (batch, d).',
            doubts: { round: 1, text: '- Whether the weight is shared between tasks.' },
          },
        ],
        ['run_tasks.py', { purpose: 'Runs E1', interface: EMPTY_INTERFACE, notes: '' }],
      ]),
      imports: new Map([['run_tasks.py', ['src/gated_sum.py']]]),
      lines: new Map(),
      attempts: [
        {
          ...{ path: 'run_tasks.py', round: 1, isKept: false },
          ...{ change: '-main = build_sum\n+main = None', reasons: ['It lost `main`.'] },
        },
      ],
      lastRounds: [{ round: 1, sentences: ['Written: run_tasks.py.'] }],
    },
    { isPaperShown: true, share: 1 },
  );
}
