import { answerTo, moduleText, type PlannedFile } from '../fakes/plan-scenario.ts';
import { fillRound } from './subplanner.ts';

/**
 * A run of the size that the bound on prompts is stated for: a paper of 65,000 characters, a ledger of about 130 rows,
 * 14 files of about 200 lines. Lengths are those of a real run with a strong model.
 */
export const FILES: readonly PlannedFile[] = [
  { path: 'requirements.txt', needs: [] },
  { path: 'configs/default.yaml', needs: [] },
  { path: 'src/settings.py', needs: ['configs/default.yaml'] },
  { path: 'src/datasets.py', needs: ['configs/default.yaml', 'src/settings.py'] },
  { path: 'src/networks.py', needs: [] },
  { path: 'src/method.py', needs: ['src/networks.py'] },
  { path: 'src/baselines.py', needs: ['src/networks.py', 'src/method.py'] },
  {
    path: 'src/training.py',
    needs: ['src/settings.py', 'src/datasets.py', 'src/method.py', 'src/baselines.py'],
  },
  { path: 'src/evaluation.py', needs: ['src/settings.py', 'src/datasets.py'] },
  {
    path: 'run_experiments.py',
    needs: ['configs/default.yaml', 'src/settings.py', 'src/training.py', 'src/evaluation.py'],
  },
  { path: 'make_tables.py', needs: ['configs/default.yaml', 'src/settings.py'] },
  {
    path: 'tests/test_method.py',
    needs: ['src/networks.py', 'src/method.py', 'src/baselines.py', 'src/evaluation.py'],
  },
  {
    path: 'reproduce.sh',
    needs: ['configs/default.yaml', 'run_experiments.py', 'make_tables.py'],
  },
  {
    path: 'README.md',
    needs: ['configs/default.yaml', 'run_experiments.py', 'make_tables.py', 'src/method.py'],
  },
];

const ROWS = 130;
const PAPER_CHARACTERS = 65_000;
const LENSES = [
  'method and equations',
  'experiments, baselines and measures',
  'values and settings',
];

/** What a dutiful model with much to say answers to any of our prompts. */
export function answerAtLength(prompt: string): string {
  if (prompt.includes('# Your task: the ledger of requirements')) return ledgerOf(prompt);
  if (prompt.includes('# Your task: the experiment matrix and the files')) return draftedFiles();
  if (prompt.includes('# Your task: values, method cards, environment')) return draftedSetup();
  if (prompt.includes('# Your task: attack this plan')) return objections();
  if (prompt.includes('# Your task: amend the plan')) {
    return `@file src/method.py\ninstructions:\n  ${proseOf(1_500, 'amended')}\n@done`;
  }
  if (prompt.includes('# Your task: plan the next round')) return fillRound(prompt, toldAtLength);
  if (prompt.includes('# Your task: decide each check')) return answerTo(prompt, FILES);
  if (prompt.includes('# Your task: verify the code')) return answerTo(prompt, FILES);
  const written = /(?:Write|Mend) (\S+) now: (?:the whole file|by edits)/.exec(prompt)?.[1];
  if (written !== undefined) return writtenFile(written);
  if (prompt.includes('Write the note on this file.')) return `${proseOf(900, 'note')}\n@done`;
  if (prompt.includes('# Your task: what the figures demand')) return evidence(6_000, 'figures');
  if (prompt.includes('# Your task: every equation')) return evidence(16_000, 'algorithms');
  return evidence(16_000, 'concepts');
}

/** Sections with an equation each, 65,000 characters in all. */
export function aLongPaper(): string {
  const sections = 26;
  const text = Array.from({ length: sections }, (_, index) => {
    const number = index + 1;
    const body = proseOf(PAPER_CHARACTERS / sections - 100, `section${number}`);
    return `## ${number} Part ${number}\n\n${body}\n\n$$ y_{${number}} = x_{${number}} + ${number} \\tag{${number}} $$\n`;
  });
  return `# A long paper\n\n${text.join('\n')}`;
}

/** Prose about a subject; each sentence has a number of its own, so that no two are the same. */
function proseOf(characters: number, subject: string): string {
  let text = '';
  for (let number = 1; text.length < characters; number += 1) {
    text += `${sentenceOf(subject, number)} `;
  }
  return text.slice(0, characters).trimEnd();
}

function sentenceOf(subject: string, number: number): string {
  return `The ${subject} part ${number} is computed before its neighbours, and its value enters the sum with a plus sign.`;
}

function evidence(characters: number, subject: string): string {
  return `${proseOf(characters, subject)}\n@done`;
}

/** A lens has its third of the ledger, and ten rows of the next one's. */
function ledgerOf(prompt: string): string {
  const lens = Math.max(
    0,
    LENSES.findIndex((words) => prompt.includes(`Your lens: **${words}`)),
  );
  const share = Math.ceil(ROWS / LENSES.length);
  const numbers = Array.from({ length: share + 10 }, (_, index) => {
    return ((lens * share + index) % ROWS) + 1;
  });
  return [...numbers.flatMap(rowOf), '@done'].join('\n');
}

function rowOf(number: number): string[] {
  const kinds = ['equation', 'architecture', 'hyper-parameter', 'measurement', 'setting'];
  return [
    '@requirement',
    `kind: ${kinds[number % kinds.length] ?? ''}`,
    `demand: Component c${number} adds its own term to the score of step ${number}, after the terms of the steps before it, with the factor of table ${number}, in training as well as in evaluation.`,
    `quote: ${sentenceOf(`section${(number % 26) + 1}`, Math.floor(number / 26) + 1)}`,
    `place: sec-${(number % 26) + 1}`,
    `values: factor_${number}=0.${number}; step_${number}=${number}`,
    'scope: main',
  ];
}

function draftedFiles(): string {
  const files = FILES.flatMap(({ path, needs }, index) => [
    `@file ${path}`,
    `purpose: Part ${path} of the long method, with its settings and its results`,
    `needs: ${needs.join(', ')}`,
    `owns: ${ownedBy(index).join(', ')}`,
    'lines: 200',
    ...(path.endsWith('.py') ? ['signatures:', ...signaturesOf(path)] : []),
    'instructions:',
    `  ${proseOf(1_500, path)}`,
  ]);
  const experiments = [1, 2, 3, 4, 5, 6].flatMap((number) => [
    `@experiment E${number}`,
    `title: Experiment ${number}`,
    `question: ${proseOf(150, 'question')}`,
    'axis: method | ours | first baseline | second baseline | third baseline',
    'axis: dataset | circle | line | moons',
    `measure: score_${number} | every 100 steps | none | results/score_${number}.csv`,
    `measure: seconds_${number} | at the end | s | results/score_${number}.csv`,
    'command: toy run_experiments.py --method {method} --dataset {dataset}',
  ]);
  const plan = ['title: A long method', `summary: ${proseOf(700, 'summary')}`];
  const rest = [`dataflow: ${proseOf(900, 'flow')}`, `validation: ${proseOf(900, 'check')}`];
  return ['@plan', ...plan, ...rest, ...experiments, ...files, '@done'].join('\n');
}

function ownedBy(index: number): string[] {
  const ids: string[] = [];
  for (let id = index + 1; id <= ROWS; id += FILES.length) ids.push(`R${id}`);
  return ids;
}

function signaturesOf(path: string): string[] {
  const lines = Array.from({ length: 8 }, (_, index) => {
    return `  def step_${index + 1}(total: float, weights: list[float]) -> float  # step ${index + 1} of ${path}`;
  });
  const name = path.replace(/^.*\/|\.py$/g, '');
  return [`  def ${name}(x: float) -> float`, ...lines];
}

function draftedSetup(): string {
  const values = Array.from({ length: 60 }, (_, index) => [
    `@value group${index % 8}.value_${index}`,
    `value: 0.${index + 1}`,
    `requirement: R${2 * index + 1}`,
    `reason: ${index % 3 === 0 ? proseOf(220, 'reason') : ''}`,
  ]);
  const cards = ['first baseline', 'second baseline', 'third baseline', 'ours', 'an ablation'].map(
    (name) => [`@method ${name}`, 'source: paper', 'text:', `  ${proseOf(2_600, name)}`],
  );
  const environment = ['@environment', 'python: 3.11', 'package: numpy 1.26.4'];
  return [
    ...values.flat(),
    ...cards.flat(),
    ...environment,
    `notes: ${proseOf(1_800, 'download')}`,
    '@done',
  ].join('\n');
}

/** What a planner with much to say tells a target. */
function toldAtLength(path: string): string[] {
  return [
    `reason: ${proseOf(150, `reason of ${path}`)}`,
    `instructions: ${proseOf(600, `advice on ${path}`)}`,
    `integration: ${proseOf(400, `fit of ${path}`)}`,
    'check: static | step_1 is defined',
    `check: model | ${proseOf(130, `first check of ${path}`)}`,
    `check: model | ${proseOf(130, `second check of ${path}`)}`,
  ];
}

function objections(): string {
  const each = Array.from({ length: 20 }, (_, index) => [
    '@objection',
    'severity: important',
    `what: ${proseOf(380, `missing${index}`)}`,
    `remedy: ${proseOf(180, `remedy${index}`)}`,
  ]);
  return [...each.flat(), '@done'].join('\n');
}

function writtenFile(path: string): string {
  const content = contentOf(path);
  return `@write ${path}\n\`\`\`\`\n${content}\n\`\`\`\`\n@met\nR1: ${path}\n@doubts\n- none\n@done`;
}

function contentOf(path: string): string {
  if (path === 'requirements.txt') return 'numpy==1.26.4';
  if (path.endsWith('.yaml')) return settings();
  if (path.endsWith('.sh')) {
    return `#!/usr/bin/env bash\nset -euo pipefail\n${'# one more cell\ntoy run_experiments.py --method ours --dataset line\n'.repeat(40)}`;
  }
  if (path.endsWith('.md')) return `# A long method\n\n${proseOf(8_000, 'readme')}`;
  const needs = FILES.find((file) => file.path === path)?.needs ?? [];
  return `${moduleText(path, needs)}\n${steps(path)}`;
}

/** Sixty keys in eight groups, each with what it comes from. */
function settings(): string {
  const groups = Array.from({ length: 8 }, (_, group) => {
    const keys = Array.from({ length: 60 }, (_unused, index) => index).filter(
      (index) => index % 8 === group,
    );
    const lines = keys.map((index) => {
      return `  # ${proseOf(120, 'comment')}\n  value_${index}: 0.${index + 1}  # R${2 * index + 1}`;
    });
    return [`group${group}:`, ...lines].join('\n');
  });
  return groups.join('\n');
}

/** Functions that make a module about 200 lines long. */
function steps(path: string): string {
  const functions = Array.from({ length: 12 }, (_, index) => [
    '',
    '',
    `def step_${index + 1}(total: float, weights: list[float]) -> float:`,
    `    """Step ${index + 1} of ${path}: adds the weighted terms in order (eq-${index + 1})."""`,
    ...Array.from({ length: 11 }, (_unused, term) => {
      return `    total = total + weights[${term}] * ${term + 1}.0  # term ${term + 1}`;
    }),
    '    return total',
  ]);
  return functions.flat().join('\n');
}
