// npm run test:postgres: the services of docker-compose.yml as processes, without containers, and their deaths.
import assert from 'node:assert/strict';
import { until } from '../e2e/driven-run.ts';
import { openCluster, type Cluster, type ClusterWorker } from '../fakes/cluster.ts';
import { readCompose } from '../fakes/compose-file.ts';
import { judge, referenceOf, type Kill, type Reference } from '../fakes/crash-check.ts';
import { nextRequest } from '../fakes/crash-random.ts';
import { findPrograms } from './programs.ts';
import { openStack, type Stack } from './stack.ts';

const PLAN = { files: 18, depth: 6, latencyMs: 500 };
/** In turn, until the run ends. */
const VICTIMS = ['worker', 'server', 'database'] as const;
/** Each victim falls twice. */
const KILLS = 2 * VICTIMS.length;
const OUTCOME_TIMEOUT_MS = 240_000;

describe('a run on PostgreSQL', function () {
  this.timeout(600_000);
  let stack: Stack;
  let cluster: Cluster;
  let worker: ClusterWorker;
  let reference: Reference;

  before(async function () {
    this.timeout(0);
    const compose = readCompose({
      HOME: '/nowhere',
      DEEPREPRO_POSTGRES_PASSWORD: 'letters-and-1-digit',
    });
    const version = compose.services['temporal']?.image.split(':')[1] ?? '';
    const programs = await findPrograms(version);
    if ('missing' in programs) {
      console.log(`      skipped: ${programs.missing}`);
      return this.skip();
    }
    const startedAt = Date.now();
    stack = await openStack(compose, programs);
    cluster = await openCluster({ address: stack.address, taskQueue: 'deeprepro' }, PLAN);
    worker = await cluster.startWorker();
    console.log(`      database, schema, server, namespace, worker: ${secondsSince(startedAt)} s`);
  });
  after(async () => {
    await cluster?.end();
    await stack?.end();
  });

  it('ends complete', async () => {
    const startedAt = Date.now();
    await cluster.start('undisturbed');
    assert.equal(await cluster.outcome('undisturbed', OUTCOME_TIMEOUT_MS), 'complete');
    reference = await referenceOf(cluster.ports, 'undisturbed', cluster.labels);
    console.log(`      undisturbed: ${secondsSince(startedAt)} s`);
  });

  it('ends complete, with the same tree and nothing paid again, when worker, server and database are killed in turn', async () => {
    const startedAt = Date.now();
    await cluster.start('killed');
    const kills: Kill[] = [];
    while (kills.length < KILLS && !(await hasEnded('killed'))) {
      await nextRequest(cluster.model.log);
      kills.push(await kill(VICTIMS[kills.length % VICTIMS.length] ?? 'worker'));
    }
    assert.equal(await cluster.outcome('killed', OUTCOME_TIMEOUT_MS), 'complete');
    const suspect = { home: cluster.home, run: 'killed', model: 'killed', log: cluster.model.log };
    const verdict = await judge(cluster.ports, suspect, reference, kills);
    const { requests, repeats, open, reused } = verdict;
    console.log(
      `      ${kills.length} kills (${kills.map(({ what }) => what).join(', ')}): ${secondsSince(startedAt)} s, ${requests} requests, ${repeats} repeats of ${open} calls open at the kills, ${reused} replies reused`,
    );
    assert.ok(kills.length >= VICTIMS.length, 'The run was over before each had been killed.');
    assert.deepEqual(verdict.broken, []);
  });

  it('is driven by a worker that says when its server is gone, and is well when that is back', async () => {
    const killing = stack.kill('server', 6_000);
    const problem = await until('it is unwell', async () => {
      const { status, body } = await health();
      return status === 503 && body;
    });
    assert.match(
      problem,
      /The Temporal server at 127\.0\.0\.1:\d+ does not answer: no answer in 2 s/,
    );
    await killing;
    await until('it is well', async () => (await health()).status === 200);
  });

  async function health() {
    const response = await fetch(worker.healthUrl);
    return { status: response.status, body: await response.text() };
  }

  async function kill(what: (typeof VICTIMS)[number]): Promise<Kill> {
    const at = Date.now();
    if (what === 'worker') {
      await worker.end('SIGKILL');
      const goneAt = Date.now();
      worker = await cluster.startWorker();
      return { what, at, goneAt };
    }
    await stack.kill(what);
    // A step whose heartbeats nobody hears is given up meanwhile, with its call.
    return { what, at, goneAt: Date.now() };
  }

  async function hasEnded(run: string): Promise<boolean> {
    return (await cluster.ports.folders.read(run)).outcome !== null;
  }
});

function secondsSince(startedAt: number): string {
  return ((Date.now() - startedAt) / 1000).toFixed(1);
}
