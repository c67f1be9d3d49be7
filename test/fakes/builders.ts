import type { Blueprint, BlueprintFile, ConfigurationValue } from '../../src/domain/blueprint.ts';
import type { FileContextParts } from '../../src/domain/file-context.ts';
import type { Finding } from '../../src/domain/finding.ts';
import { EMPTY_INTERFACE } from '../../src/domain/interface.ts';
import type { NormalisedText, PaperDocument, PaperPart } from '../../src/domain/paper.ts';
import type { Requirement } from '../../src/domain/requirement.ts';

const PAPER = `# Gated Sums for Short Sequences

We propose gated sums and compare them with a plain sum.

## Method

A gated sum of inputs $x_1, \\dots, x_n \\in \\mathbb{R}^d$ is

$$ y = \\sum_{i=1}^{n} \\sigma(w^\\top x_i)\\, x_i $$

where $\\sigma$ is the logistic function. We minimise the mean squared error plus $\\lambda \\lVert w \\rVert_1$.

## Experiments

We compare gated sums with plain sums on Counting and Sorting, log the validation error every 50 steps, and report the mean of 5 seeds.

Table 1: Settings. Learning rate 3e-4, batch size 64, $\\lambda = 0.01$.

Figure 1: Validation error over 2,000 steps, gated and plain.

## References

[1] A. Nobody. Sums. 1999.

## Appendix

On Sorting the learning rate is 1e-3.
`;

const ADDENDUM = `# Clarifications

The penalty uses $\\lambda = 0.02$, not 0.01. The timing study is out of scope.
`;

/** A small made-up paper with an addendum, and its index. */
export function aPaper(changes: Partial<PaperDocument> = {}): PaperDocument {
  return {
    schemaVersion: 1,
    paper: aText('paper.md', PAPER, [
      ['sec-0', '# Gated'],
      ['sec-1', '## Method'],
      ['eq-1', '$$ y ='],
      ['sec-2', '## Experiments'],
      ['tab-1', 'Table 1:'],
      ['fig-1', 'Figure 1:'],
      ['sec-3', '## References'],
      ['sec-4', '## Appendix'],
    ]),
    supplements: [aText('addendum.md', ADDENDUM, [['sup-1/sec-1', '# Clarifications']])],
    notices: [],
    ...changes,
  };
}

const KINDS: Readonly<Record<string, PaperPart['kind']>> = {
  sec: 'section',
  eq: 'equation',
  tab: 'table',
  fig: 'figure',
};

function aText(name: string, markdown: string, marks: [string, string][]): NormalisedText {
  const starts = marks.map(([, mark]) => markdown.indexOf(mark));
  const parts = marks.map(([id], index): PaperPart => {
    const start = starts[index] ?? 0;
    const kind = KINDS[id.replace(/^.*\//, '').split('-')[0] ?? ''] ?? 'section';
    const lineEnd = markdown.indexOf('\n', start);
    const following = marks.findIndex(([other], at) => at > index && /sec-\d+$/.test(other));
    const sectionEnd = starts[following] ?? markdown.length;
    return {
      id,
      kind,
      title: markdown.slice(start, lineEnd).replace(/^#+ /, ''),
      level: kind === 'section' ? (id === 'sec-0' ? 1 : 2) : 0,
      start,
      end: kind === 'section' ? sectionEnd : lineEnd,
    };
  });
  return { name, form: 'markdown', title: parts[0]?.title ?? '', markdown, parts };
}

/** A requirement of the small paper. */
export function aRequirement(changes: Partial<Requirement> = {}): Requirement {
  return {
    id: 'R1',
    kind: 'equation',
    demand: 'A gated sum weighs each input by the logistic function of its projection.',
    quote: '$y = \\sum_{i=1}^{n} \\sigma(w^\\top x_i)\\, x_i$',
    place: 'eq-1',
    otherPlaces: [],
    values: [],
    scope: 'main',
    ...changes,
  };
}

/** One planned file. */
export function aFile(changes: Partial<BlueprintFile> = {}): BlueprintFile {
  const path = changes.path ?? 'src/gated_sum.py';
  return {
    path,
    purpose: `What ${path} is for`,
    needs: [],
    owns: [],
    signatures: 'def run(x: Tensor) -> Tensor',
    instructions: 'Do it.',
    expectedLines: 100,
    ...changes,
  };
}

/** A configuration value. */
export function aValue(changes: Partial<ConfigurationValue> = {}): ConfigurationValue {
  return { key: 'a', value: '1', requirements: [], reason: '', deviates: false, ...changes };
}

/** A sound blueprint of the small paper: nothing to correct and nothing for the audit to say. */
export function aBlueprint(changes: Partial<Blueprint> = {}): Blueprint {
  return {
    schemaVersion: 1,
    title: 'Gated sums',
    summary: 'Gated sums against plain sums on two tasks.',
    files: [
      aFile({ path: 'requirements.txt', purpose: 'Pinned packages', signatures: '' }),
      aFile({
        path: 'configs/default.yaml',
        purpose: 'All values',
        owns: ['R2'],
        signatures: '',
      }),
      aFile({
        path: 'src/gated_sum.py',
        purpose: 'Gated and plain sums, by name',
        owns: ['R1', 'R3'],
        signatures: 'class GatedSum(nn.Module)  # (batch, n, d) -> (batch, d)\n  forward(x)',
        instructions: 'Equation eq-1. Registry SUMS: gated, plain.\n\nThe sign is plus.',
      }),
      aFile({
        path: 'run_tasks.py',
        purpose: 'Runs E1: counting and sorting',
        needs: ['configs/default.yaml', 'src/gated_sum.py'],
        owns: ['R4'],
        signatures: 'def main(argv: list[str]) -> None',
        instructions: 'Reads train.lr. Logs validation_error every 50 steps.',
      }),
      aFile({ path: 'reproduce.sh', needs: ['run_tasks.py'], signatures: '' }),
      aFile({ path: 'README.md', needs: ['run_tasks.py'], signatures: '' }),
    ],
    experiments: [
      {
        id: 'E1',
        title: 'Two tasks',
        question: 'Do gates lower the error? Yes, on both.',
        axes: [
          { name: 'method', values: ['gated', 'plain'] },
          { name: 'task', values: ['counting', 'sorting'] },
        ],
        measures: [
          {
            name: 'validation_error',
            when: 'every 50 steps',
            unit: 'mean squared error',
            file: 'results/e1.csv',
          },
        ],
        command: 'python run_tasks.py --method {method} --task {task}',
      },
    ],
    requirements: [
      aRequirement(),
      aRequirement({
        id: 'R2',
        kind: 'hyper-parameter',
        demand: 'The learning rate is 3e-4.',
        quote: 'Learning rate 3e-4',
        place: 'tab-1',
        values: ['lr=3e-4'],
      }),
      aRequirement({
        id: 'R3',
        kind: 'baseline',
        demand: 'The plain sum is a baseline.',
        quote: 'compare gated sums with plain sums',
        place: 'sec-2',
      }),
      aRequirement({
        id: 'R4',
        kind: 'measurement',
        demand: 'The validation error is logged every 50 steps.',
        quote: 'log the validation error every 50 steps',
        place: 'sec-2',
        values: ['interval=50'],
      }),
    ],
    configuration: [
      aValue({ key: 'train.lr', value: '3e-4', requirements: ['R2'] }),
      aValue({ key: 'train.seed', value: '0', reason: 'inferred: any seed' }),
    ],
    methodCards: [{ name: 'Plain sum', source: 'paper', text: 'y = \\sum_i x_i\nNo parameters.' }],
    dataFlow: 'configs → run_tasks → results',
    environment: {
      python: '3.11',
      packages: [{ name: 'torch', version: '2.4.1' }],
      notes: 'CPU is enough.',
    },
    validation: 'n = 1, w = 0 gives x / 2.',
    ...changes,
  };
}

/** An open finding. */
export function aFinding(changes: Partial<Finding> = {}): Finding {
  return {
    id: 'f1',
    kind: 'unresolved-name',
    path: 'run_tasks.py',
    symbol: 'main: build_sum',
    message: 'src/gated_sum.py has no build_sum.',
    remedy: 'Call GatedSum.',
    openedInRound: 1,
    resolvedInRound: null,
    triedInRounds: [],
    ...changes,
  };
}

/** What the context of `run_tasks.py` is built from, once its needs are written. */
export function someParts(changes: Partial<FileContextParts> = {}): FileContextParts {
  return {
    paper: aPaper(),
    userRequests: ['Use PyTorch.'],
    blueprint: aBlueprint(),
    path: 'run_tasks.py',
    statuses: new Map([
      ['configs/default.yaml', 'written'],
      ['src/gated_sum.py', 'written'],
    ]),
    memory: new Map([
      ['configs/default.yaml', { purpose: '', interface: EMPTY_INTERFACE, notes: '' }],
      [
        'src/gated_sum.py',
        {
          purpose: 'Gated and plain sums',
          interface: {
            ...EMPTY_INTERFACE,
            definitions: [
              {
                kind: 'class',
                name: 'GatedSum',
                signature: 'class GatedSum(nn.Module)',
                summary: '',
                members: [],
              },
            ],
          },
          notes: 'Registers gated and plain.',
        },
      ],
    ]),
    texts: new Map([
      ['configs/default.yaml', 'train:\n  lr: 3.0e-4\n'],
      ['src/gated_sum.py', 'class GatedSum(nn.Module):\n    """Equation (1)."""\n'],
    ]),
    importers: [],
    findings: [],
    lastAttempt: null,
    lastReasons: [],
    ...changes,
  };
}
