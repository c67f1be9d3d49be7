// The scripted server as a process of its own, for tests in which its clients die:
//   node --import=tsx test/fakes/openai-server-main.ts --scenario FILE --log FILE [--latency MS] [--port N]
// The scenario is a module that exports `answer`. The first line on stdout is the base URL; SIGTERM ends the process.
// The log gets a line of JSON when a request arrives and another when it ends.
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startOpenAiServer, type Answer, type ServerRequest } from './openai-server.ts';

const { values } = parseArgs({
  options: {
    scenario: { type: 'string' },
    log: { type: 'string' },
    latency: { type: 'string', default: '0' },
    port: { type: 'string', default: '0' },
  },
});
const { scenario, log } = z.object({ scenario: z.string(), log: z.string() }).parse(values);

const Scenario = z.object({
  answer: z.custom<(request: ServerRequest) => Answer | Promise<Answer>>(
    (value) => typeof value === 'function',
    `${scenario} exports no function "answer".`,
  ),
});
const { answer } = Scenario.parse(await import(pathToFileURL(path.resolve(scenario)).href));

const server = await startOpenAiServer({
  answer,
  latencyMs: Number(values.latency),
  port: Number(values.port),
  keepBodies: false,
  // Written at once, so that a killed server has lost nothing it knew.
  onChange: (record) =>
    appendFileSync(log, `${JSON.stringify({ ...record, authorization: '' })}\n`),
});
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
console.log(server.baseUrl);
