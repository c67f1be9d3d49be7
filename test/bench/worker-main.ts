// The product's worker around the fixed-latency model, as a process of its own. Says "ready" to its parent.
import { readSettings } from '../../src/settings.ts';
import { createDeps, runWorker } from '../../src/worker.ts';
import { latencyModel } from './latency-model.ts';

const settings = readSettings();
const deps = await createDeps(settings);
await runWorker(settings, { ...deps, model: latencyModel() }, () => process.send?.('ready'));
