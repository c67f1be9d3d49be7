import assert from 'node:assert/strict';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { checkTree } from '../../src/diagnostics/check-tree.ts';
import type { Problem } from '../../src/domain/finding.ts';
import { SETTINGS_STYLES } from './settings-styles.ts';

type Texts = Readonly<Record<string, string>>;
type Style = keyof typeof SETTINGS_STYLES;

const parser = await createParser();

function check(texts: Texts, planned: readonly string[] = []): Problem[] {
  const files = Object.entries(texts).map(
    ([path, text]) => [path, parser.parse(path, text)] as const,
  );
  return checkTree({ files: new Map(files), planned });
}

function changed(style: Style, path: string, from: string, to: string): Texts {
  const texts: Texts = SETTINGS_STYLES[style];
  const text = texts[path] ?? '';
  assert.ok(text.includes(from), `${path} has no ${from}`);
  return { ...texts, [path]: text.replace(from, to) };
}

const YAML = 'YAML as plain dicts, sections passed on';
const CLASSES = 'YAML into dataclasses';
const HYDRA = 'Hydra, composed by folder';
const JSON_STYLE = 'JSON, loaded at import';
const OVERLAYS = 'YAML overlays merged by hand';
const TOML = 'TOML as attributes';
const EASY = 'YAML as an EasyDict';

/** One change each: style, file, what is replaced, by what, and the one thing found. */
const FAULTS: readonly (readonly [Style, string, string, string, string])[] = [
  [
    YAML,
    'src/trainer.py',
    'cfg["lr"]',
    'cfg["rate"]',
    'undefined-key src/trainer.py Trainer.__init__: train.rate',
  ],
  [
    YAML,
    'src/trainer.py',
    'self.cfg["epochs"]',
    'self.cfg["epoch"]',
    'undefined-key src/trainer.py Trainer.fit: train.epoch',
  ],
  [
    YAML,
    'src/data.py',
    'section["root"]',
    'section["path"]',
    'undefined-key src/data.py load_data: data.path',
  ],
  [
    YAML,
    'train.py',
    'cfg["seed"]',
    'cfg["train"]["seed"]',
    'undefined-key train.py main: train.seed',
  ],
  [
    YAML,
    'configs/base.yaml',
    'batch_size',
    'batchsize',
    'undefined-key src/trainer.py Trainer.step: train.batch_size',
  ],
  [
    YAML,
    'configs/base.yaml',
    'seed: 0',
    'seed: 0\nprecision: 16',
    'unused-key configs/base.yaml precision',
  ],
  [
    YAML,
    'configs/base.yaml',
    'seed: 0',
    'seed: 0\neval:\n  shots: 4\n  folds: 3',
    'unused-key configs/base.yaml eval',
  ],
  [
    CLASSES,
    'config.yaml',
    'lr:',
    'learning_rate:',
    'undefined-key repro/config.py TrainConfig: learning_rate',
  ],
  [
    CLASSES,
    'config.yaml',
    'width:',
    'hidden:',
    'undefined-key repro/config.py ModelConfig: model.hidden',
  ],
  [
    CLASSES,
    'repro/train.py',
    'cfg.lr',
    'cfg.rate',
    'undefined-key repro/train.py train: TrainConfig.rate',
  ],
  [
    CLASSES,
    'repro/train.py',
    'cfg.model.depth',
    'cfg.model.layers',
    'undefined-key repro/train.py train: ModelConfig.layers',
  ],
  [
    HYDRA,
    'main.py',
    'cfg.momentum',
    'cfg.beta',
    'undefined-key main.py make_optimizer: optim.beta',
  ],
  [
    HYDRA,
    'main.py',
    'cfg.trainer.max_epochs',
    'cfg.trainer.epochs',
    'undefined-key main.py main: trainer.epochs',
  ],
  [
    JSON_STYLE,
    'experiment.py',
    '["train"]["lr"]',
    '["train"]["rate"]',
    'undefined-key experiment.py run: train.rate',
  ],
  [
    JSON_STYLE,
    'settings.json',
    '"lr": 0.1',
    '"lr": 0.1, "momentum": 0.9',
    'unused-key settings.json train.momentum',
  ],
  [OVERLAYS, 'rl/train.py', 'cfg["logging"]', 'cfg["log"]', 'undefined-key rl/train.py main: log'],
  [TOML, 'main.py', 'cfg.train.lr', 'cfg.train.rate', 'undefined-key main.py train.rate'],
  [
    EASY,
    'tools/train.py',
    'cfg.TRAIN.STEPS',
    'cfg.TRAIN.ITERS',
    'undefined-key tools/train.py train: TRAIN.ITERS',
  ],
  [EASY, 'cfg.yaml', '  STEPS: 5', '  STEPS: 5\n  WARMUP: 3', 'unused-key cfg.yaml TRAIN.WARMUP'],
];

describe('settings', () => {
  for (const [style, texts] of Object.entries(SETTINGS_STYLES))
    it(`are right in a clean repository with ${style}`, () => {
      assert.deepEqual(check(texts), []);
    });

  for (const [style, path, from, to, expected] of FAULTS)
    it(`with ${style}: "${to.replaceAll('\n', ' ')}" in ${path} is ${expected}`, () => {
      const found = check(changed(style, path, from, to)).map(
        ({ kind, path: place, symbol }) => `${kind} ${place} ${symbol}`,
      );
      assert.ok(found.includes(expected), found.join('\n'));
    });

  it('say where, what and what would close it', () => {
    const [problem] = check(changed(YAML, 'train.py', 'cfg["data"]', 'cfg["date"]')).filter(
      ({ kind }) => kind === 'undefined-key',
    );
    assert.equal(
      problem?.message,
      'train.py reads the setting `date` (line 17), which configs/base.yaml does not define, so reading it fails.',
    );
    assert.equal(
      problem.remedy,
      'Read `data`, which configs/base.yaml defines, or define `date` there.',
    );
  });

  it('are not judged while the files that define or read them are planned', () => {
    const undefinedKey = changed(YAML, 'src/data.py', 'section["root"]', 'section["path"]');
    assert.deepEqual(check(undefinedKey, ['configs/more.yaml', 'more.py']), []);
    const unused = changed(YAML, 'configs/base.yaml', 'seed: 0', 'seed: 0\nprecision: 16');
    assert.deepEqual(check(unused, ['more.py']), []);
  });

  it('may be absent where the code provides for it', () => {
    const read = (line: string): Problem[] =>
      check(changed(YAML, 'train.py', '    print(cfg)', line));
    assert.deepEqual(read('    print(cfg.get("extra"), cfg["train"].get("decay", 0.0))'), []);
    assert.deepEqual(read('    if "extra" in cfg:\n        print(cfg["extra"]["more"])'), []);
    assert.deepEqual(
      read('    try:\n        print(cfg["extra"])\n    except KeyError:\n        pass'),
      [],
    );
    assert.deepEqual(read('    cfg["extra"] = {"a": 1}\n    print(cfg["extra"]["b"])'), []);
    assert.deepEqual(read('    cfg.update(vars(args))\n    print(cfg["method"])'), []);
    assert.deepEqual(read('    for key in cfg:\n        print(cfg[key]["more"])'), []);
  });
});
