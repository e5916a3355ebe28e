// `npm run bench -- --data`: plans and times of all statements on large tables (BENCH_ROWS, default 1 million).
// `npm run bench -- --claims`: of these, the claims of the four queues beside 100 and 100,000 rows alone.
// `npm run bench -- --growth`: cost of requests on an empty database, a tenth of the rows and all rows: BENCH_ROWS (10 million
// transfers), BENCH_CUSTOMERS (100,000), BENCH_PROJECTS (1,000), BENCH_RUNS (10,000 open runs), BENCH_WEBHOOKS (1,000).
// `npm run bench -- --console`: the lists of the console in a browser (CHROMIUM_PATH) with BENCH_ROWS requests: see README.md.
// `npm run bench -- --backup`: seconds of a backup and its restore for a ledger of about 1 GB (BENCH_ROWS, default 1.3 million).
// `npm run bench -- --telemetry`: the share of CPU time that metrics and traces take, from profiles under load.
// `npm run bench -- --lanes`: calls as items of a lane beside plain gRPC calls, in BENCH_ROUNDS (7) paired rounds.
// `npm run bench -- --memory`: resident memory of each service under load for BENCH_MINUTES (3) and with large bodies.
// `npm run bench -- --ledger`: admissions and settlements on one and on many accounts, with commits that reach the disk.
// `npm run bench -- --engine`: durable steps beside DBOS's in BENCH_ROUNDS (5) rounds, readers of events, and recovery after a kill.
// `npm run bench -- --peers`: a chat completion through Portkey, LiteLLM and Bifrost, with their cost tracking, in BENCH_ROUNDS (5) rounds.
// `npm run bench -- --quick`: CPU time per request beside the floor's, in BENCH_ROUNDS (5) rounds; about three minutes.
// `npm run bench`: compares the gateway with a bare proxy and a peer on one machine. Prints ratios; asserts nothing.

import { loadConsole } from './console/main.js';
import { peerComparison, usualComparison } from './contenders.js';
import { cpuTable } from './cpu-ratios.js';
import { backupTable } from './data/backup.js';
import { claimTable } from './data/claims.js';
import { diskLine } from './data/disk.js';
import { dataTable } from './data/main.js';
import { engineTables } from './engine-tables.js';
import { chatTarget, type Gateway, startGateway } from './gateway.js';
import { growthTable } from './growth/main.js';
import { ledgerTable } from './hot-account.js';
import { httpLoad, type LoadResult, type LoadTarget } from './http-load.js';
import { laneTable } from './lanes.js';
import { memoryTable } from './memory.js';
import { startPortkey } from './peers/portkey.js';
import { processUsage } from './process-usage.js';
import { onDurableDatabase, startFloor, startUpstream } from './servers.js';
import { streamLoad } from './streams.js';
import { ms, table } from './table.js';
import { telemetryTable } from './telemetry/telemetry-table.js';
import { webhookLoad } from './webhooks.js';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const CONNECTIONS = 64;
/** V8 compiles functions again and again during the first ten thousands of requests, in threads that compete for the cores. */
const WARM_UP_MS = 12_000;
const STREAMS = 500;

interface Row {
  name: string;
  alone: LoadResult;
  loaded: LoadResult;
  streamed: LoadResult;
  cpuMsPerRequest: Record<string, number>;
  rssMb: Record<string, number>;
}

const say = (line: string): void => console.error(line);

if (process.argv.includes('--streams')) {
  console.log(await streamTable());
  process.exit();
}
if (process.argv.includes('--webhooks')) {
  console.log(await webhookTable());
  process.exit();
}
if (process.argv.includes('--data')) {
  // Transfers and holds; the tables of other services have at most 1.5 million rows each.
  console.log(await dataTable(Number(process.env.BENCH_ROWS ?? 1_000_000), say));
  process.exit();
}
if (process.argv.includes('--claims')) {
  console.log(await onDurableDatabase((url) => claimTable(url, say)));
  process.exit();
}
if (process.argv.includes('--growth')) {
  const count = (name: string, most: number) => Number(process.env[`BENCH_${name}`] ?? most);
  const sizes = {
    rows: count('ROWS', 10_000_000),
    customers: count('CUSTOMERS', 100_000),
    projects: count('PROJECTS', 1_000),
    runs: count('RUNS', 10_000),
    webhooks: count('WEBHOOKS', 1_000),
  };
  console.log(await growthTable(sizes, { durationMs: SECONDS * 1000, say }));
  process.exit();
}
if (process.argv.includes('--console')) {
  const chromium = process.env.CHROMIUM_PATH;
  if (!chromium) throw new Error('set CHROMIUM_PATH to the program of the browser Chromium');
  const { times, faults } = await loadConsole(chromium, Number(process.env.BENCH_ROWS ?? 1_000_000));
  console.log([times, ...faults].join('\n'));
  process.exit(faults.length === 0 ? 0 : 1);
}
if (process.argv.includes('--backup')) {
  console.log(await backupTable(Number(process.env.BENCH_ROWS ?? 1_300_000), say));
  process.exit();
}
if (process.argv.includes('--telemetry')) {
  console.log(await telemetryTable(say));
  process.exit();
}
if (process.argv.includes('--lanes')) {
  console.log(await laneTable(Number(process.env.BENCH_ROUNDS ?? 7), say));
  process.exit();
}
if (process.argv.includes('--memory')) {
  console.log(await memoryTable(Number(process.env.BENCH_MINUTES ?? 3), say));
  process.exit();
}
if (process.argv.includes('--ledger')) {
  console.log(await ledgerTable(SECONDS * 1000));
  process.exit();
}
if (process.argv.includes('--engine')) {
  console.log(await engineTables(ROUNDS));
  process.exit();
}

const upstream = await startUpstream(['--instant']);
const withPortkey = !process.argv.includes('--no-portkey');
const isOnlyCpu = process.argv.includes('--quick') || process.argv.includes('--peers');
try {
  const options = process.argv.includes('--peers') ? peerComparison : usualComparison(withPortkey);
  console.log(await cpuTable(upstream.baseUrl, { ...options, rounds: ROUNDS, say }));
  if (!isOnlyCpu) await measureAll();
} finally {
  upstream.stop();
}

async function measureAll(): Promise<void> {
  const rows: Row[] = [];
  const floor = await startFloor(upstream.baseUrl);
  rows.push(
    await measure('bare node:http proxy (floor)', { proxy: floor.pid }, (stream) => [
      chatTarget(floor.port, {}, stream),
    ]),
  );
  await floor.stop();
  if (!withPortkey) say('Portkey left out');
  else {
    const portkey = await startPortkey();
    const headers = {
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': upstream.baseUrl,
      authorization: 'Bearer load',
    };
    rows.push(
      await measure('Portkey 1.15.2 (bills nothing)', { portkey: portkey.pid }, (stream) => [
        chatTarget(portkey.port, headers, stream),
      ]),
    );
    await portkey.stop();
  }
  for (const isSeparate of [true, false]) rows.push(await measureGateway(isSeparate));
  console.log(httpTable(rows));
  console.log(diskLine());
  console.log(processTable(rows));
  console.log(await streamTable());
  console.log(await ledgerTable(SECONDS * 1000));
  console.log(await webhookTable());
  console.log(await engineTables(ROUNDS));
}

async function measureGateway(isSeparate: boolean): Promise<Row> {
  const gateway: Gateway = await startGateway(upstream.baseUrl, isSeparate);
  try {
    const name = isSeparate ? 'Tollgate, separate processes' : 'Tollgate, one process';
    const row = await measure(name, gateway.pids, gateway.targets);
    const verdict = await gateway.verify();
    say(
      `  ledger: ${verdict.differences.length} differences, ${verdict.open_holds} open holds, overrun ${verdict.overrun_microcents}`,
    );
    return row;
  } finally {
    await gateway.stop();
  }
}

async function measure(
  name: string,
  pids: Record<string, number>,
  targets: (stream: boolean) => LoadTarget[],
): Promise<Row> {
  say(name);
  const time = { durationMs: SECONDS * 1000, warmUpMs: 2_000 };
  await httpLoad(targets(false), { connections: CONNECTIONS, durationMs: WARM_UP_MS, warmUpMs: 0 });
  const alone = await httpLoad(targets(false), { connections: 1, ...time });
  say(`  1 connection: p50 ${ms(alone.p50Ms)}, p99 ${ms(alone.p99Ms)}, ${alone.errors} errors`);
  const streamed = await httpLoad(targets(true), { connections: 1, ...time });
  say(`  1 stream: first byte p50 ${ms(streamed.firstByteP50Ms)}, ${streamed.errors} errors`);
  const before = readUsage(pids);
  const loaded = await httpLoad(targets(false), { connections: CONNECTIONS, durationMs: time.durationMs, warmUpMs: 0 });
  const after = readUsage(pids);
  say(
    `  ${CONNECTIONS} connections: ${Math.round(loaded.perSecond)}/s, p99 ${ms(loaded.p99Ms)}, ${loaded.errors} errors`,
  );
  const cpuMsPerRequest = Object.fromEntries(
    Object.keys(pids).map((key) => [
      key,
      ((after[key]?.cpuMs ?? 0) - (before[key]?.cpuMs ?? 0)) / Math.max(1, loaded.requests),
    ]),
  );
  return {
    name,
    alone,
    loaded,
    streamed,
    cpuMsPerRequest,
    rssMb: Object.fromEntries(Object.entries(after).map(([key, use]) => [key, use.rssMb])),
  };
}

function readUsage(pids: Record<string, number>) {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, processUsage(pid)]));
}

function httpTable(rows: Row[]): string {
  const floor = rows[0] as Row;
  const lines = rows.map(({ name, alone, loaded, streamed }) =>
    [
      name,
      ms(alone.p50Ms),
      ms(alone.p99Ms),
      ms(alone.p50Ms - floor.alone.p50Ms),
      ms(alone.p99Ms - floor.alone.p99Ms),
      ms(streamed.firstByteP50Ms - floor.streamed.firstByteP50Ms),
      Math.round(loaded.perSecond),
      (loaded.perSecond / floor.loaded.perSecond).toFixed(2),
      ms(loaded.p99Ms),
      alone.errors + loaded.errors + streamed.errors,
    ].join(' | '),
  );
  const head =
    'what | c=1 p50 | c=1 p99 | added p50 | added p99 | added first byte | requests/s, c=64 | × floor | c=64 p99 | errors';
  return table(head, lines);
}

function processTable(rows: Row[]): string {
  const lines = rows.flatMap((row) =>
    Object.entries(row.cpuMsPerRequest).map(([process, cpu]) =>
      [row.name, process, `${cpu.toFixed(3)} ms`, `${Math.round(row.rssMb[process] ?? 0)} MB`].join(' | '),
    ),
  );
  return table('what | process | CPU per request, c=64 | memory', lines);
}

async function streamTable(): Promise<string> {
  const lines: string[] = [];
  const paced = await startUpstream([]);
  try {
    for (const isSeparate of [true, false]) {
      const gateway = await startGateway(paced.baseUrl, isSeparate);
      try {
        await streamLoad(gateway, 50); // warms up
        const r = await streamLoad(gateway, STREAMS);
        const { before, during } = r.memoryMb;
        const perStream = ((during - before) * 1024) / r.streams;
        lines.push(
          [
            isSeparate ? 'Tollgate, separate processes' : 'Tollgate, one process',
            r.streams,
            r.chunks,
            r.errors,
            `${r.cpuMicrosPerChunk.toFixed(0)} µs`,
            `${before.toFixed(0)} → ${during.toFixed(0)} MB`,
            `${perStream.toFixed(0)} KiB`,
          ].join(' | '),
        );
      } finally {
        await gateway.stop();
      }
    }
  } finally {
    paced.stop();
  }
  return table('what | streams at once | chunks | broken | CPU per chunk | memory of all | per stream', lines);
}

async function webhookTable(): Promise<string> {
  const offeredPerSecond = 1_000;
  const r = await onDurableDatabase((url) => webhookLoad(url, { durationMs: SECONDS * 1000, offeredPerSecond }));
  return table(
    `webhook deliveries/s, 1 % dead endpoints | first attempt p50 at ${offeredPerSecond}/s | p99 | left behind`,
    [[Math.round(r.perSecond), ms(r.firstAttemptP50Ms), ms(r.firstAttemptP99Ms), r.undelivered].join(' | ')],
  );
}
