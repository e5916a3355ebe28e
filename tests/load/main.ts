// npm run bench: the gateway beside a bare proxy and a peer, in one run on one machine. Prints ratios; asserts nothing.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@tollgate/postgres';
import { chatTarget, type Gateway, startGateway } from './gateway.js';
import { ledgerLoad } from './hot-account.js';
import { httpLoad, type LoadResult, type LoadTarget } from './http-load.js';
import { startFloor, startPortkey } from './peers.js';
import { processUsage } from './process-usage.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
const CONNECTIONS = 64;

interface Row {
  name: string;
  alone: LoadResult;
  loaded: LoadResult;
  streamed: LoadResult;
  cpuMsPerRequest: Record<string, number>;
  rssMb: Record<string, number>;
}

const say = (line: string): void => console.error(line);

const upstream = await startUpstream();
try {
  const rows: Row[] = [];
  const floor = await startFloor(upstream.baseUrl);
  rows.push(
    await measure('bare node:http proxy (floor)', { proxy: floor.pid }, (stream) => [
      chatTarget(floor.port, {}, stream),
    ]),
  );
  await floor.stop();
  if (process.argv.includes('--no-portkey')) say('Portkey left out');
  else {
    const portkey = await startPortkey();
    const headers = {
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': upstream.baseUrl,
      authorization: 'Bearer bench',
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
  console.log(processTable(rows));
  console.log(await ledgerTable());
} finally {
  upstream.stop();
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
  await httpLoad(targets(false), { connections: CONNECTIONS, durationMs: 1_000, warmUpMs: 2_000 });
  const alone = await httpLoad(targets(false), { connections: 1, ...time });
  say(`  1 connection: p50 ${ms(alone.p50Ms)}, p99 ${ms(alone.p99Ms)}, ${alone.errors} errors`);
  const streamed = await httpLoad(targets(true), { connections: 1, ...time });
  say(`  1 stream: first byte p50 ${ms(streamed.firstByteP50Ms)}, ${streamed.errors} errors`);
  const before = usageOf(pids);
  const loaded = await httpLoad(targets(false), { connections: CONNECTIONS, durationMs: time.durationMs, warmUpMs: 0 });
  const after = usageOf(pids);
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

function usageOf(pids: Record<string, number>) {
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

async function ledgerTable(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-ledger-'));
  chmodSync(folder, 0o755);
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), durable: true });
  const lines: string[] = [];
  try {
    for (const [accounts, clients] of [
      [1, 1],
      [1, 64],
      [1, 256],
      [1_000, 256],
    ] as const) {
      const r = await ledgerLoad(server.url, { accounts, clients, durationMs: SECONDS * 1000 });
      lines.push(
        [
          accounts,
          clients,
          Math.round(r.cyclesPerSecond),
          ms(r.admitP50Ms),
          ms(r.admitP99Ms),
          ms(r.settleP50Ms),
          ms(r.settleP99Ms),
          r.differences,
        ].join(' | '),
      );
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return table(
    'accounts | clients | admit + settle cycles/s | admit p50 | admit p99 | settle p50 | settle p99 | ledger differences',
    lines,
  );
}

function table(head: string, lines: string[]): string {
  return `\n| ${head} |\n|${' --- |'.repeat(head.split('|').length)}\n${lines.map((line) => `| ${line} |`).join('\n')}\n`;
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}

async function startUpstream(): Promise<{ baseUrl: string; stop(): void }> {
  const child = spawn(process.execPath, ['packages/testkit/dist/fake-provider-main.js', '--instant'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await new Promise<string[]>((resolve) =>
    createInterface({ input: child.stdout }).once('line', (text) => resolve([text])),
  )) as [string];
  return { baseUrl: JSON.parse(line).base_url, stop: () => child.kill('SIGTERM') };
}
