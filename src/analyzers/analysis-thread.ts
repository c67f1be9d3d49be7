import { parentPort } from 'node:worker_threads';
import { createAnalysisCore } from './analysis.ts';
import type { AnalysisReply, AnalysisRequest } from './analysis-messages.ts';
import { createParser } from './parse-file.ts';

// The entry of the thread that `start-analysis.ts` starts: what takes long is done here, and can be ended.
const core = createAnalysisCore(await createParser());

function answer(request: AnalysisRequest): AnalysisReply {
  switch (request.kind) {
    case 'parse':
      return { kind: 'parsed', file: core.parse(request.file, request.text) };
    case 'keep':
      core.keep(request.key, request.file);
      return { kind: 'kept' };
    case 'check':
      return { kind: 'checked', checked: core.check(request.tree, request.alone) };
  }
}

const say = (reply: AnalysisReply): void => parentPort?.postMessage(reply);
parentPort?.on('message', (request: AnalysisRequest) => say(answer(request)));
say({ kind: 'ready' });
