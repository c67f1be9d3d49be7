import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createActivities } from '../../src/activities/create-activities.ts';
import { createReplayModel } from '../../src/models/recorded-model.ts';
import { runInSandbox, sandboxAvailable } from '../../src/processes/sandbox.ts';
import { getText } from '../../src/store/stored-json.ts';
import { reproducePaper } from '../../src/workflows/loop.ts';
import { directSteps } from '../bench/direct-steps.ts';
import { aProduct, type Product } from '../fakes/product.ts';

const DEMO = fileURLToPath(new URL('../../demo', import.meta.url));
/** The interpreter of the system: what is installed in a home is invisible in the sandbox. */
const PYTHON = '/usr/bin/python3';

for (const [mode, replies] of [
  ['fast', 'replies'],
  ['deepplan', 'replies-deepplan'],
] as const)
  describe(`the repository that the demo generates in ${mode} mode`, function () {
    this.timeout(120_000);
    let product: Product;
    let folder: string;

    before(async function () {
      const availability = await sandboxAvailable();
      const reason = availability.isAvailable
        ? existsSync(PYTHON)
          ? ''
          : `there is no ${PYTHON}.`
        : availability.reason;
      if (reason !== '') {
        console.log(`      skipped: ${reason}`);
        this.skip();
      }
      folder = await mkdtemp(join(tmpdir(), 'deeprepro-repository-'));
      await chmod(folder, 0o755);
      product = await aProduct(createReplayModel(join(DEMO, replies)));
    });
    after(async () => {
      await product?.end();
      if (folder) await rm(folder, { recursive: true, force: true });
    });

    it('comes within the tolerance that the paper claims, when its reproduce.sh is run in the sandbox', async () => {
      const paper = await readFile(join(DEMO, 'paper.tex'), 'utf8');
      const record = await product.createRun({ name: 'demo', paper, paperName: 'paper.tex', mode });
      const outcome = await reproducePaper(directSteps(createActivities(product.deps), record));
      assert.equal(outcome, 'complete');
      if (mode === 'deepplan') {
        const { tree, progress } = await product.stateOf('demo');
        assert.ok(tree['src/paper_claims.py'], 'a file that no plan had before the code was there');
        assert.equal(progress['src/recorded_runs.py']?.revision, 2, 'a check was unmet');
        assert.equal(progress['experiments/run_fixed_restart.py']?.revision, 2, 'a type fault');
      }
      await writeTree();

      const smoke = await reproduce(['--smoke']);
      assert.equal(smoke.exitCode, 0, smoke.stderr);
      const whole = await reproduce([]);
      assert.equal(whole.exitCode, 0, whole.stderr);
      assert.match(whole.stdout, /24 of 24 counts are reproduced/);
      assert.doesNotMatch(whole.stdout, /FAILS/);

      // Not what the program says of itself: the counts it wrote, against those that the paper prints.
      const cells = await rowsOf('results/cells.csv');
      assert.equal(cells.length, 24);
      for (const [method, interval, kappa, iterations] of cells) {
        const printed =
          PRINTED[`${method} ${interval}`.trim()]?.[['10', '100', '1000'].indexOf(kappa ?? '')];
        assert.ok(printed, `${method} ${interval} at ${kappa}`);
        const allowed = Math.max(1, 0.01 * printed);
        assert.ok(Math.abs(Number(iterations) - printed) <= allowed, `${method} at ${kappa}`);
      }
    });

    async function reproduce(args: readonly string[]) {
      const result = await runInSandbox({
        command: 'bash',
        args: ['reproduce.sh', ...args],
        workFolder: folder,
        variables: { PYTHON },
        limits: { wallMs: 60_000 },
      });
      assert.ok(result.kind === 'ran', JSON.stringify(result));
      return result;
    }

    async function writeTree(): Promise<void> {
      const { tree } = await product.stateOf('demo');
      for (const [path, ref] of Object.entries(tree)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), await getText(product.deps.store, ref));
      }
    }

    async function rowsOf(path: string): Promise<string[][]> {
      const [, ...lines] = (await readFile(join(folder, path), 'utf8')).trim().split(/\r?\n/);
      return lines.map((line) => line.split(','));
    }
  });

/** Tables 2 and 3 of the demo's paper, for kappa = 10, 100, 1000. */
const PRINTED: Readonly<Record<string, readonly number[]>> = {
  'gradient-descent': [89, 841, 7463],
  'plain-acceleration': [88, 445, 1910],
  'function-restart': [36, 164, 423],
  'gradient-restart': [33, 139, 429],
  'fixed-restart 10': [35, 373, 3360],
  'fixed-restart 50': [58, 179, 969],
  'fixed-restart 100': [88, 187, 398],
  'fixed-restart 250': [88, 282, 594],
};
