import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { statusQuery, workflowIdOf } from '../../src/workflows/messages.ts';
import { openCluster, type Cluster, type ClusterWorker } from '../fakes/cluster.ts';
import { judge, referenceOf, type Reference } from '../fakes/crash-check.ts';
import { temporal } from '../fakes/temporal.ts';
import { until } from './driven-run.ts';

describe('workers on a server elsewhere', function () {
  this.timeout(180_000);
  let cluster: Cluster;
  let one: ClusterWorker;
  let other: ClusterWorker;
  let reference: Reference;

  before(async () => {
    const { address } = await temporal();
    const place = { address, taskQueue: `cluster-${randomUUID()}` };
    cluster = await openCluster(place, { files: 12, depth: 4, latencyMs: 150 });
    one = await cluster.startWorker();
  });
  after(() => cluster.end());

  it('do runs alone', async () => {
    await cluster.start('alone');
    assert.equal(await cluster.outcome('alone'), 'complete');
    reference = await referenceOf(cluster.ports, 'alone', cluster.labels);
    assert.deepEqual(await workersOf('alone'), new Set([one.pid]));
  });

  it('say by HTTP that they are well, and what they have done', async () => {
    assert.deepEqual(await healthOf(one), { status: 200, reasons: [], activities: 0 });
    const metrics = await (await fetch(one.metricsUrl)).text();
    const { account } = await cluster.ports.folders.read('alone');
    const count = (pattern: RegExp) => Number(pattern.exec(metrics)?.[1]);
    assert.equal(
      count(/^deeprepro_model_calls\{.*ending="stop".*model="alone".*\} (\d+)$/m),
      account.calls,
    );
    assert.match(metrics, /^temporal_workflow_completed\{/m);
  });

  it('share a run, and give the tree that one gives', async () => {
    other = await cluster.startWorker();
    await cluster.start('shared');
    assert.equal(await cluster.outcome('shared'), 'complete');
    assert.deepEqual(await workersOf('shared'), new Set([one.pid, other.pid]));
    assert.deepEqual(await faultsOf('shared'), []);
  });

  it('finish a run when the one that drives it is killed, and pay for nothing twice', async () => {
    await cluster.start('bereft');
    await until('a round is over', async () => {
      const { head } = await cluster.ports.folders.read('bereft');
      return (head?.view.round ?? 0) > 0;
    });
    const driver = await driverOf('bereft');
    await (driver === one.pid ? one : other).end('SIGKILL');
    const left = driver === one.pid ? other : one;
    assert.equal(await cluster.outcome('bereft'), 'complete');
    assert.deepEqual(await faultsOf('bereft'), []);
    const handle = cluster.client.workflow.getHandle(workflowIdOf('bereft'));
    assert.equal((await handle.query(statusQuery)).outcome, 'complete');
    assert.equal(await driverOf('bereft'), left.pid);
    one = left;
  });

  it('say that they drain when they are told to end, until calls under way are over', async () => {
    // A model that is stopped keeps the first calls of the run under way for as long as we look.
    process.kill(cluster.model.pid, 'SIGSTOP');
    try {
      await cluster.start('drained');
      // Three analyses and the requirements, side by side; before them steps go one by one.
      await until('the model is asked', async () => (await healthOf(one)).activities >= 3);
      const ended = one.end('SIGTERM');
      await until('it drains', async () => {
        const { status, reasons } = await healthOf(one);
        return status === 503 && /drains/.test(reasons.join());
      });
      process.kill(cluster.model.pid, 'SIGCONT');
      await ended;
    } finally {
      process.kill(cluster.model.pid, 'SIGCONT');
    }
    one = await cluster.startWorker();
    assert.equal(await cluster.outcome('drained'), 'complete');
    assert.deepEqual(await faultsOf('drained'), []);
  });

  it('say that the data folder is another than the client has', async () => {
    await one.end('SIGTERM');
    const elsewhere = await mkdtemp(join(tmpdir(), 'elsewhere-'));
    try {
      const stray = await cluster.startWorker(elsewhere);
      await cluster.start('astray');
      const handle = cluster.client.workflow.getHandle(workflowIdOf('astray'));
      const [wait] = await until('it waits', async () => {
        const { waits } = await handle.query(statusQuery);
        return waits.length > 0 && waits;
      });
      assert.equal(wait?.kind, 'store');
      assert.match(wait?.message ?? '', new RegExp(elsewhere));
      assert.match(wait?.remedy ?? '', /client and worker use the same data folder/);
      await stray.end('SIGKILL');
      one = await cluster.startWorker();
      await handle.signal('resume', { liftPause: false });
      assert.equal(await cluster.outcome('astray'), 'complete');
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });

  async function faultsOf(run: string): Promise<readonly string[]> {
    const suspect = { home: cluster.home, run, model: run, log: cluster.model.log };
    return (await judge(cluster.ports, suspect, reference, cluster.kills)).broken;
  }

  /** The processes that have done activities of a run, as the server knows them. */
  async function workersOf(run: string): Promise<Set<number>> {
    const history = await historyOf(run);
    return new Set(
      history.flatMap(({ activityTaskStartedEventAttributes: started }) =>
        started ? [pidOf(started.identity)] : [],
      ),
    );
  }

  /** The process that the run's workflow was in last: its tasks stick to it. */
  async function driverOf(run: string): Promise<number> {
    const history = await historyOf(run);
    const started = history.flatMap(({ workflowTaskStartedEventAttributes: task }) =>
      task ? [pidOf(task.identity)] : [],
    );
    return started.at(-1) ?? 0;
  }

  async function historyOf(run: string) {
    const handle = cluster.client.workflow.getHandle(workflowIdOf(run));
    return (await handle.fetchHistory()).events ?? [];
  }
});

/** Workers call themselves by process and host. */
function pidOf(identity: string | null | undefined): number {
  const [pid, host] = (identity ?? '').split('@');
  assert.equal(host, hostname());
  return Number(pid);
}

const Told = z.object({ reasons: z.array(z.string()), activities: z.int() });

async function healthOf({ healthUrl }: ClusterWorker) {
  const response = await fetch(healthUrl).catch(() => undefined);
  // Its process is gone.
  if (!response) return { status: 0, reasons: [], activities: 0 };
  return { status: response.status, ...Told.parse(await response.json()) };
}
