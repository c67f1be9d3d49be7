import type { Answer, ChatBody } from './openai-server.ts';
import { aPlan, answerTo, moduleText } from './plan-scenario.ts';

/** requirements.txt, configs/default.yaml, reproduce.sh, README.md; part_01, and part_02 on it. */
export const TOOLS_PLAN = aPlan({ files: 6, depth: 2 });
export const [ONE, TWO, EXTRA] = ['src/part_01.py', 'src/part_02.py', 'src/extra.py'] as const;

type Told = Pick<Extract<Answer, { kind: 'reply' }>, 'text' | 'toolCalls'>;

/**
 * What a model answers in a deepplan run that has something of all: the first subplan adds a file and a check that a
 * model decides; one file is written by calls of tools, one in text, which is faulty and is mended by an edit in the
 * second round. Told by the request alone, so that asked again it answers the same.
 */
export function deepplanAnswer(prompt: string, messages: ChatBody['messages']): Told {
  const isFirst = prompt.includes(`- ${ONE}: planned`);
  if (prompt.includes('# Your task: plan the next round') && isFirst) return { text: FIRST_ROUND };
  const [, path] = /(?:Write|Mend) (.+) now: (?:the whole file|by edits)/.exec(prompt) ?? [];
  const turn = messages.filter(({ role }) => role === 'assistant').length + 1;
  if (path === ONE) return byCalls(turn);
  if (path === TWO) return inText(turn, prompt.includes('# This is a repair'));
  return { text: answerTo(prompt, TOOLS_PLAN) };
}

const FIRST_ROUND = [
  '@round',
  'rationale: All of it, and a part that is missing.',
  'wrong: none',
  ...TOOLS_PLAN.map(({ path }) => `@target ${path}`),
  `@target ${EXTRA}`,
  'check: model | it returns a float',
  `@file ${EXTRA}`,
  'purpose: Half of the first part',
  `needs: ${ONE}`,
  'because: the paper halves it',
  '@done',
].join('\n');

function byCalls(turn: number): Told {
  const call = (name: string, given: Readonly<Record<string, string>>) => ({
    name,
    arguments: JSON.stringify(given),
  });
  switch (turn) {
    case 1:
      return {
        toolCalls: [
          call('read_paper', { query: 'score' }),
          call('search_repository', { words: 'seed' }),
        ],
      };
    case 2:
      return {
        toolCalls: [
          call('write_file', { path: ONE, content: moduleText(ONE, []) }),
          call('check_file', {}),
        ],
      };
    default:
      return { text: '@done' };
  }
}

function inText(turn: number, isRepair: boolean): Told {
  const sound = moduleText(TWO, [ONE]);
  const [right, wrong] = ['part_01(x)', 'part_01(x, 2.0)'];
  const fence = '````';
  if (turn === 1) return { text: `@read ${ONE}\n@done` };
  if (turn > 2) return { text: '@done' };
  if (!isRepair)
    return { text: `@write ${TWO}\n${fence}\n${sound.replace(right, wrong)}\n${fence}\n@done` };
  return {
    text: `@edit ${TWO}\n${fence}\n${wrong}\n${fence}\n${fence}\n${right}\n${fence}\n@done`,
  };
}
