// The fake provider as a process of its own, for benchmarks and chaos tests:
//   node dist/fake-provider-main.js [--port 9000] [--instant] [--journal calls.ndjson]
// Prints one JSON line with its base_url once it listens; stops on SIGTERM or SIGINT.
import { parseArgs } from 'node:util';
import { startInstantProvider } from './fake-provider/instant-provider.js';
import { startFakeProvider } from './fake-provider/start-fake-provider.js';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, instant: { type: 'boolean' }, journal: { type: 'string' } },
});
const port = Number(values.port);
const provider = values.instant
  ? await startInstantProvider({ port })
  : await startFakeProvider({ port, journal: values.journal });
process.stdout.write(`${JSON.stringify({ base_url: provider.baseUrl, pid: process.pid })}\n`);

const stop = () => {
  provider.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
