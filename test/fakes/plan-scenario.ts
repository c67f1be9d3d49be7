/** A fixed plan for scripted models: what each file is called and which it imports. */
export interface PlannedFile {
  readonly path: string;
  readonly needs: readonly string[];
}

/** The files that every plan must have; without needs, so that a plan's depth is that of its code. */
const ESSENTIALS: readonly PlannedFile[] = [
  'requirements.txt',
  'configs/default.yaml',
  'reproduce.sh',
  'README.md',
].map((path) => ({ path, needs: [] }));

/** A plan of `files` files in all, of which `depth` form the longest chain; the rest hang on the chain or on nothing. */
export function aPlan({ files, depth }: { files: number; depth: number }): PlannedFile[] {
  const modules = files - ESSENTIALS.length;
  const chain = Array.from({ length: depth }, (_, index) => ({
    path: moduleAt(index),
    needs: index === 0 ? [] : [moduleAt(index - 1)],
  }));
  const others = Array.from({ length: modules - depth }, (_, index) => ({
    path: moduleAt(depth + index),
    // A few hang on the chain's first modules, the others are leaves.
    needs: index % 3 === 2 ? [moduleAt(Math.min(index % depth, depth - 2))] : [],
  }));
  return [...ESSENTIALS, ...chain, ...others];
}

/** A plan in which each file needs the one before: nothing can run side by side. */
export function aChain(files: number): PlannedFile[] {
  return Array.from({ length: files }, (_, index) => {
    const paths = [...ESSENTIALS.map(({ path }) => path)];
    const pathAt = (place: number) => paths[place] ?? moduleAt(place);
    return { path: pathAt(index), needs: index === 0 ? [] : [pathAt(index - 1)] };
  });
}

function moduleAt(index: number): string {
  return `src/part_${String(index + 1).padStart(2, '0')}.py`;
}

/** What a dutiful model answers to any of our prompts, for a plan. Recognises a request by its words, as a server must. */
export function answerTo(prompt: string, plan: readonly PlannedFile[]): string {
  if (prompt.includes('# Your task: the ledger of requirements')) return requirements();
  if (prompt.includes('# Your task: the experiment matrix and the files')) return draftFiles(plan);
  if (prompt.includes('# Your task: values, method cards, environment')) return draftSetup();
  if (prompt.includes('# Your task: attack this plan')) {
    return '@objection\nseverity: minor\nwhat: the plan says little of validation\nremedy: none is needed\n@done';
  }
  if (prompt.includes('# Your task: amend the plan')) return '@done';
  if (prompt.includes('# Your task: plan the next round')) return subplan(prompt);
  if (prompt.includes('# Your task: decide each check')) return verdicts(prompt);
  if (prompt.includes('# Your task: verify the code')) return verifications(prompt);
  const written = /(?:Write|Mend) (.+) now: (?:the whole file|by edits)/.exec(prompt)?.[1];
  if (written !== undefined) return writeFile(written, plan);
  if (prompt.includes('Write the note on this file.')) return 'Pure; returns a float.\n@done';
  return 'Nothing stands out: the toy method is a sum (sec-1).\n@done';
}

/** A whole round's work: every planned file and every file with a finding that has repairs left, in the order shown. */
function subplan(prompt: string): string {
  const found = new Set([...prompt.matchAll(/^- (\S+): blocking, /gm)].map(([, path]) => path));
  const targets = [...prompt.matchAll(/^- (\S+): (planned|written)([^\n]*)$/gm)]
    .filter(
      ([, path, status, rest = '']) =>
        (status === 'planned' || found.has(path)) && !rest.includes('no repairs left'),
    )
    .map(([, path = '']) => `@target ${path}\nreason: its turn\ncheck: static | it parses`);
  return ['@round', 'rationale: What comes next.', 'wrong: none', ...targets, '@done'].join('\n');
}

/** Every check is met. */
function verdicts(prompt: string): string {
  const numbers = [...prompt.matchAll(/^(\d+)\. /gm)].map(([, number = '']) => number);
  return [...numbers.map((number) => `@check ${number}\nverdict: met`), '@done'].join('\n');
}

/** All that is asked is met, at the first line of the first file shown. */
function verifications(prompt: string): string {
  const path = /^## (\S+)$/m.exec(prompt.slice(prompt.indexOf('# Files of the repository')))?.[1];
  const asked = [...prompt.matchAll(/^(R\d+) \(/gm)].map(([, id = '']) => id);
  const met = asked.map((id) =>
    [`@verdict ${id}`, 'found: it', `where: ${path}:1`, 'reached: toy', 'verdict: met'].join('\n'),
  );
  const checks = [...prompt.matchAll(/^- check (\d+), of /gm)].map(([, number = '']) => number);
  return [...met, ...checks.map((number) => `@check ${number}\nverdict: met`), '@done'].join('\n');
}

function requirements(): string {
  return [
    '@requirement',
    'kind: equation',
    'demand: The score is the sum of the parts.',
    'quote: the score is the sum of all parts',
    'place: sec-1',
    'values: none',
    'scope: main',
    '@done',
  ].join('\n');
}

function draftFiles(plan: readonly PlannedFile[]): string {
  const last = plan.at(-1)?.path ?? '';
  const files = plan.flatMap(({ path, needs }) => [
    `@file ${path}`,
    `purpose: Part ${path} of the toy method`,
    `needs: ${needs.join(', ')}`,
    `owns: ${path === last ? 'R1' : ''}`,
    'lines: 20',
    ...(path.endsWith('.py') ? ['signatures:', `  def ${nameOf(path)}(x: float) -> float`] : []),
    'instructions:',
    '  Add one to what the needed parts give.',
  ]);
  return [
    '@plan',
    'title: A toy',
    'summary: A sum of parts.',
    'dataflow: numbers go in, a number comes out',
    'validation: the sum of ones is their count',
    '@experiment E1',
    'title: The sum',
    'question: is the sum right',
    'axis: method | ours',
    'measure: score | at the end | none | results/score.json',
    // The parts are no programs, and a command that starts one would be a finding.
    `command: toy ${plan.find(({ path }) => path.endsWith('.py'))?.path ?? 'run.py'} --method {method}`,
    ...files,
    '@done',
  ].join('\n');
}

function draftSetup(): string {
  return [
    '@value seed',
    'value: 0',
    'requirement: none',
    'reason: the paper names none',
    '@environment',
    'python: 3.11',
    'package: numpy | 1.26.4',
    'notes: none',
    '@done',
  ].join('\n');
}

function writeFile(path: string, plan: readonly PlannedFile[]): string {
  const needs = plan.find((file) => file.path === path)?.needs ?? [];
  const content = path.endsWith('.py') ? moduleText(path, needs) : otherText(path);
  return `@write ${path}\n\`\`\`\`\n${content}\n\`\`\`\`\n@met\nR1: ${path}\n@doubts\n- none\n@done`;
}

/** A module that adds one to what its needed modules give. */
export function moduleText(path: string, needs: readonly string[]): string {
  const modules = needs.filter((need) => need.endsWith('.py'));
  const imports = modules.map((need) => `from ${moduleOf(need)} import ${nameOf(need)}`);
  const sum = ['x', ...modules.map((need) => `${nameOf(need)}(x)`)].join(' + ');
  return [
    '"""One part of the toy method."""',
    ...imports,
    '',
    '',
    `def ${nameOf(path)}(x: float) -> float:`,
    `    """Part ${path}."""`,
    `    return ${sum}`,
  ].join('\n');
}

function otherText(path: string): string {
  if (path === 'requirements.txt') return 'numpy==1.26.4';
  if (path.endsWith('.yaml')) return 'seed: 0  # inferred';
  if (path.endsWith('.sh')) return '#!/usr/bin/env bash\nset -euo pipefail\npython -c "print(1)"';
  return '# A toy\n\nThe sum of parts.';
}

function moduleOf(path: string): string {
  return path.replace(/\.py$/, '').replaceAll('/', '.');
}

/** The name that stands for a file in code: its own without ending, as an identifier. */
export function nameOf(path: string): string {
  return (
    path
      .replace(/\.\w+$/, '')
      .split('/')
      .at(-1)
      ?.replaceAll(/\W/g, '_') ?? 'part'
  );
}

/** A paper of about `characters` characters that the plan could come from. */
export function aPaperText(characters = 2_000): string {
  const head =
    '# A toy paper\n\n## 1 Method\n\nThe score is the sum of all parts: $s = \\sum_i p_i$.\n\n';
  const sentence = 'Each part adds one number to the score, and nothing else is added by it. ';
  return head + sentence.repeat(Math.ceil(Math.max(0, characters - head.length) / sentence.length));
}
