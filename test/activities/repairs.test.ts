import assert from 'node:assert/strict';
import { aPlan } from '../fakes/plan-scenario.ts';
import { writtenRun } from './written-run.ts';

const PLAN = aPlan({ files: 6, depth: 2 });
const PATH = 'src/part_01.py';

const steps = Array.from({ length: 12 }, (_, index) => `STEP_${index} = ${index}`).join('\n');
const NEW_IMPORT = 'from src.nowhere import gone\n';

function write(content: string, extra = ''): string {
  return `@write ${PATH}\n\`\`\`\`python\n${content}\`\`\`\`\n@met\nnone\n@doubts\nnone\n${extra}@done`;
}

function file(body: string): string {
  return `"""A part."""\n${body}\n${steps}\n\n\ndef part_01(x: float) -> float:\n    return x\n`;
}

const SOUND = file('');

describe('a repair', () => {
  it('is undone when it loses a planned name, and the next one is told what it did', async () => {
    const worse = SOUND.replaceAll('part_01', 'renamed');
    const { outcome, requests, texts, state } = await writtenRun(PLAN, ({ label }) => {
      const [, round] = new RegExp(`^r(\\d+)/write/${PATH}/`).exec(label) ?? [];
      if (round === undefined) return undefined;
      if (round === '1') return write(file(NEW_IMPORT));
      return write(round === '2' ? worse : SOUND);
    });
    const told = requests.find(({ label }) => label === `r3/write/${PATH}/t1`);
    const prompt = told?.messages.at(-1)?.content ?? '';
    assert.match(prompt, /## The last attempt[^\n]*\nWhy:\n- It lost `part_01`, which/);
    assert.match(prompt, /def renamed/);
    assert.equal(texts.get(PATH), SOUND);
    assert.equal(outcome, 'complete');
    assert.deepEqual(state.progress[PATH]?.lastReasons, []);
  });

  it('is refused when it halves the file without a reason, and taken with one', async () => {
    const short = '"""A part."""\n\n\ndef part_01(x: float) -> float:\n    return x\n';
    const { outcome, requests, texts } = await writtenRun(PLAN, ({ label }) => {
      if (!label.includes(`write/${PATH}/`)) return undefined;
      if (label.startsWith('r1/')) return write(file(NEW_IMPORT));
      return write(short, label.endsWith('/t2') ? '@shrinks The steps are not used.\n' : '');
    });
    const again = requests.find(({ label }) => label === `r2/write/${PATH}/t2`);
    assert.match(again?.messages.at(-1)?.content ?? '', /most of it would be lost/);
    assert.equal(texts.get(PATH), short);
    assert.equal(outcome, 'complete');
  });

  it('is asked of the file that the plan says is wrong', async () => {
    const { outcome, requests } = await writtenRun(PLAN, ({ label }) => {
      if (!label.includes(`write/${PATH}/`)) return undefined;
      return write(label.startsWith('r1/') ? SOUND.replace('def part_01', 'def other') : SOUND);
    });
    assert.equal(outcome, 'complete');
    const repairs = requests.filter(({ messages }) =>
      messages.at(-1)?.content.includes('# This is a repair'),
    );
    assert.deepEqual(
      repairs.map(({ label }) => label),
      [`r3/write/${PATH}/t1`],
    );
  });
});
