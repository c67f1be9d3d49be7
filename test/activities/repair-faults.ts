import type { FindingKind } from '../../src/domain/finding.ts';
import { aPlan, moduleText } from '../fakes/plan-scenario.ts';

/** requirements.txt, configs/default.yaml, reproduce.sh, README.md; part_01 ← part_02 ← part_03; part_04 alone. */
export const REPAIR_PLAN = aPlan({ files: 8, depth: 3 });

/** A file's path and its whole text. */
export interface FileText {
  readonly path: string;
  readonly text: string;
}

/** A file that does not fit another one: each alone could be right. */
export interface CrossFault {
  readonly name: string;
  /** Where it is found. */
  readonly path: string;
  readonly kind: FindingKind;
  readonly faulty: string;
  readonly sound: string;
  /** The other file, as it would close the finding. */
  readonly elsewhere: FileText;
}

const [ONE, TWO, THREE, FOUR] = [1, 2, 3, 4].map((number) => `src/part_0${number}.py`) as [
  string,
  string,
  string,
  string,
];
const SCRIPT = 'reproduce.sh';
const README = 'README.md';
const SETTINGS = 'configs/default.yaml';

/** `def part_0N(…)`, with imports before and a body. */
function part(path: string, imports: string, body: string, parameters = 'x: float'): string {
  const name = path.slice('src/'.length, -'.py'.length);
  const head = imports === '' ? '' : `${imports}\n\n\n`;
  return `"""One part."""\n${head}def ${name}(${parameters}) -> float:\n    """Part ${path}."""\n    ${body}`;
}

/** Part one as it is planned, with something besides. */
function oneWith(extra: string): FileText {
  return { path: ONE, text: `${moduleText(ONE, [])}\n\n\n${extra}` };
}

function program(flags: string): string {
  const options = flags === '' ? '' : `    parser.add_argument("${flags}", default="1")\n`;
  return `"""A part that can be started."""
import argparse


def part_04(x: float) -> float:
    """Part ${FOUR}."""
    return x


def main() -> None:
    """Prints the part."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--x", default="1")
${options}    print(part_04(float(parser.parse_args().x)))


if __name__ == "__main__":
    main()`;
}

function script(command: string): string {
  return `#!/usr/bin/env bash\nset -euo pipefail\n${command}`;
}

/** A reader of a setting by its keys. */
function readsKey(path: string, keys: readonly string[]): string {
  const place = keys.map((key) => `["${key}"]`).join('');
  return part(
    path,
    'import yaml',
    `with open("${SETTINGS}") as file:\n        config = yaml.safe_load(file)\n    return x + config${place}`,
  );
}

const soundTwo = moduleText(TWO, [ONE]);
const soundThree = moduleText(THREE, [TWO]);
const soundScript = script('python -c "print(1)"');
const importsOne = 'from src.part_01 import part_01';
const PART_CLASS =
  'class Part:\n    """One part."""\n\n    def __init__(self, x: float) -> None:\n        """Keeps the number."""\n        self.x = x\n\n    def value(self) -> float:\n        """Gives the number."""\n        return self.x';

/** A faulty second part, for whose sake the first could be changed. */
function inTwo(name: string, kind: FindingKind, faulty: string, elsewhere: FileText): CrossFault {
  return { name, path: TWO, kind, faulty, sound: soundTwo, elsewhere };
}

/** Twenty ways in which one file does not fit another. */
export const CROSS_FAULTS: readonly CrossFault[] = [
  inTwo(
    'imports a module that nobody wrote',
    'unresolved-import',
    part(TWO, 'from src.nowhere import gone', 'return gone(x)'),
    { path: 'src/nowhere.py', text: 'def gone(x: float) -> float:\n    return x + 1.0' },
  ),
  inTwo(
    'imports a name that its module does not define',
    'unresolved-name',
    part(TWO, 'from src.part_01 import scale', 'return scale(x)'),
    oneWith('def scale(x: float) -> float:\n    """Doubles."""\n    return x * 2.0'),
  ),
  inTwo(
    'imports a constant that its module does not define',
    'unresolved-name',
    part(TWO, 'from src.part_01 import OFFSET, part_01', 'return part_01(x) + OFFSET'),
    oneWith('OFFSET = 1.0'),
  ),
  inTwo(
    'imports a class that its module does not define',
    'unresolved-name',
    part(TWO, 'from src.part_01 import Part', 'return Part(x).value()'),
    oneWith(PART_CLASS),
  ),
  inTwo(
    'imports a name in other letters',
    'unresolved-name',
    part(TWO, 'from src.part_01 import Part_01', 'return Part_01(x)'),
    oneWith('Part_01 = part_01'),
  ),
  inTwo(
    'imports a relative module that nobody wrote',
    'unresolved-import',
    part(TWO, 'from .helpers import shift', 'return shift(x)'),
    { path: 'src/helpers.py', text: 'def shift(x: float) -> float:\n    return x + 1.0' },
  ),
  inTwo(
    'imports only where it is called',
    'unresolved-name',
    part(TWO, '', 'from src.part_01 import scale\n\n    return scale(x)'),
    oneWith('def scale(x: float) -> float:\n    """Doubles."""\n    return x * 2.0'),
  ),
  inTwo(
    'reads an attribute that a module does not have',
    'unresolved-name',
    part(TWO, 'from src import part_01 as first', 'return first.scale(x)'),
    oneWith('def scale(x: float) -> float:\n    """Doubles."""\n    return x * 2.0'),
  ),
  inTwo(
    'calls with one argument too many',
    'wrong-call',
    part(TWO, importsOne, 'return part_01(x, 2.0)'),
    {
      path: ONE,
      text: part(ONE, '', 'return x * factor', 'x: float, factor: float = 1.0'),
    },
  ),
  inTwo(
    'calls with a keyword that is not there',
    'wrong-call',
    part(TWO, importsOne, 'return part_01(x, factor=2.0)'),
    {
      path: ONE,
      text: part(ONE, '', 'return x * factor', 'x: float, factor: float = 1.0'),
    },
  ),
  inTwo(
    'calls without an argument that it needs',
    'wrong-call',
    part(TWO, importsOne, 'return x + part_01()'),
    {
      path: ONE,
      text: part(ONE, '', 'return x', 'x: float = 1.0'),
    },
  ),
  inTwo('reads a setting that no file defines', 'undefined-key', readsKey(TWO, ['sead']), {
    path: SETTINGS,
    text: 'seed: 0  # inferred\nsead: 1',
  }),
  inTwo(
    'reads a setting below one that no file defines',
    'undefined-key',
    readsKey(TWO, ['train', 'rate']),
    { path: SETTINGS, text: 'seed: 0  # inferred\ntrain:\n  rate: 0.5' },
  ),
  {
    name: 'imports through a module that does not pass the name on',
    path: THREE,
    kind: 'unresolved-name',
    faulty: part(THREE, 'from src.part_02 import scale', 'return scale(x)'),
    sound: soundThree,
    elsewhere: {
      path: TWO,
      text: `${soundTwo}\n\n\ndef scale(x: float) -> float:\n    """Doubles."""\n    return x * 2.0`,
    },
  },
  {
    name: 'calls its module’s function with a keyword of its own',
    path: THREE,
    kind: 'wrong-call',
    faulty: part(THREE, 'from src.part_02 import part_02', 'return part_02(value=x)'),
    sound: soundThree,
    elsewhere: {
      path: TWO,
      text: part(
        TWO,
        importsOne,
        'return x + value + part_01(x)',
        'x: float = 0.0, value: float = 0.0',
      ),
    },
  },
  {
    name: 'starts a program that nobody wrote',
    path: SCRIPT,
    kind: 'missing-entry-point',
    faulty: script('python src/start.py'),
    sound: soundScript,
    elsewhere: { path: 'src/start.py', text: 'print(1)' },
  },
  {
    name: 'starts a module that nobody wrote',
    path: SCRIPT,
    kind: 'missing-entry-point',
    faulty: script('python -m src.start'),
    sound: soundScript,
    elsewhere: { path: 'src/start.py', text: 'print(1)' },
  },
  {
    name: 'tells its readers to start a program that nobody wrote',
    path: README,
    kind: 'missing-entry-point',
    faulty: '# A toy\n\n```bash\npython src/start.py\n```',
    sound: '# A toy\n\nThe sum of parts.',
    elsewhere: { path: 'src/start.py', text: 'print(1)' },
  },
  {
    name: 'starts a program with a flag that it does not know',
    path: SCRIPT,
    kind: 'undefined-flag',
    faulty: script('python -m src.part_04 --rate 3'),
    sound: script('python -m src.part_04 --x 3'),
    elsewhere: { path: FOUR, text: program('--rate') },
  },
  {
    name: 'tells its readers of a flag that is not known',
    path: README,
    kind: 'undefined-flag',
    faulty: '# A toy\n\n```bash\npython -m src.part_04 --rate 3\n```',
    sound: '# A toy\n\n```bash\npython -m src.part_04 --x 3\n```',
    elsewhere: { path: FOUR, text: program('--rate') },
  },
];

/** What the files are that are not at fault, where not as planned. */
export const OTHER_TEXTS: ReadonlyMap<string, string> = new Map([[FOUR, program('')]]);
