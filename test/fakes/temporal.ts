import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { findTemporal } from '../../src/local/temporal-binary.ts';

let environment: Promise<TestWorkflowEnvironment> | undefined;

/** One real Temporal server for all tests of this process, with the settings that ours has. */
export function temporal(): Promise<TestWorkflowEnvironment> {
  environment ??= start();
  return environment;
}

/** Ends it; called once, after the last test. */
export async function endTemporal(): Promise<void> {
  if (environment) await (await environment).teardown();
  environment = undefined;
}

async function start(): Promise<TestWorkflowEnvironment> {
  // Tests provoke failures; Temporal's own words on them would hide the listing.
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const { path } = await findTemporal({ environment: process.env, report: () => undefined });
  const rates = ['history.transferProcessorMaxPollRPS', 'history.timerProcessorMaxPollRPS'];
  return TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path },
      extraArgs: rates.flatMap((rate) => ['--dynamic-config-value', `${rate}=1000`]),
    },
  });
}
