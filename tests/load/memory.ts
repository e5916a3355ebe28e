import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Gateway, startGateway } from './gateway.js';
import { httpLoad, type LoadTarget } from './http-load.js';
import { processUsage, residentMb } from './process-usage.js';
import { startUpstream } from './servers.js';
import { ms, table } from './table.js';

const CONNECTIONS = 64;
const WINDOW_MS = 5_000;
const SAMPLE_MS = 250;
const LARGE_BODIES = 8;
const LARGE_BODY_BYTES = 20 * 1024 * 1024;
/** A service has this long to give back the memory of large bodies, at a low load. */
const GIVE_BACK_MS = 30_000;

/** Resident memory in MB, by service. */
type Memory = Record<string, number>;

/**
 * Measures the resident memory of every service: idle after the start, under a load of plain and streamed answers, and with
 * large bodies.
 */
export async function memoryTable(minutes: number, say: (line: string) => void): Promise<string> {
  const upstream = await startUpstream(['--instant']);
  // BENCH_NODE_ARGS: flags of Node for every service, to compare them.
  const nodeArgs = process.env.BENCH_NODE_ARGS?.split(' ') ?? [];
  const gateway = await startGateway(upstream.baseUrl, true, { nodeArgs });
  try {
    return await measure(gateway, minutes, say);
  } finally {
    await gateway.stop();
    upstream.stop();
  }
}

async function measure(gateway: Gateway, minutes: number, say: (line: string) => void): Promise<string> {
  const sampler = startSampler(gateway.pids);
  const atStart = sampler.now();
  say('warming up');
  await load(gateway, 4 * WINDOW_MS);
  const halfMs = (minutes * 60_000) / 2;
  say(`${minutes} minutes of load`);
  sampler.restart();
  const cpuBefore = readCpu(gateway.pids);
  let requests = await load(gateway, halfMs);
  const firstHalf = sampler.max();
  sampler.restart();
  requests += await load(gateway, halfMs);
  const cpuAfter = readCpu(gateway.pids);
  const secondHalf = sampler.max();
  const atEnd = sampler.now();
  say(`${LARGE_BODIES} bodies of ${LARGE_BODY_BYTES / 1024 / 1024} MiB at once`);
  sampler.restart();
  const statuses = await Promise.all(gateway.targets(false).slice(0, LARGE_BODIES).map(sendLarge));
  say(`  answered ${statuses.join(' ')}`);
  const withLarge = sampler.max();
  const afterLarge = sampler.now();
  await smallLoad(gateway, GIVE_BACK_MS);
  const later = sampler.now();
  sampler.stop();
  const lines = Object.keys(atStart).map((name) => {
    const memories = [atStart, firstHalf, secondHalf, atEnd, withLarge, afterLarge, later];
    const cpuMs = ((cpuAfter[name] ?? 0) - (cpuBefore[name] ?? 0)) / Math.max(1, requests);
    return [name, ...memories.map((memory) => Math.round(memory[name] ?? Number.NaN)), ms(cpuMs)].join(' | ');
  });
  const head = `memory in MB | idle at start | max, first half of ${minutes} min | max, second half | at the end`;
  const tail = `max with ${LARGE_BODIES} large bodies | after them | ${GIVE_BACK_MS / 1000} s later`;
  return table(`${head} | ${tail} | CPU per request`, lines);
}

/** Plain and streamed answers in alternation, at full speed. Returns their number. */
async function load(gateway: Gateway, durationMs: number): Promise<number> {
  let requests = 0;
  for (let leftMs = durationMs, i = 0; leftMs > 0; leftMs -= WINDOW_MS, i++) {
    const time = { durationMs: Math.min(WINDOW_MS, leftMs), warmUpMs: 0 };
    requests += (await httpLoad(gateway.targets(i % 2 === 1), { connections: CONNECTIONS, ...time })).requests;
  }
  return requests;
}

function readCpu(pids: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, processUsage(pid).cpuMs]));
}

/** One connection with pauses: about 20 requests a second. */
async function smallLoad(gateway: Gateway, durationMs: number): Promise<void> {
  const target = gateway.targets(false)[0] as LoadTarget;
  const until = performance.now() + durationMs;
  while (performance.now() < until) {
    await send(target, readBody(target));
    await sleep(50);
  }
}

/** A turn with an image. */
function sendLarge(target: LoadTarget): Promise<number> {
  const body = JSON.parse(readBody(target));
  const url = `data:image/png;base64,${'A'.repeat(LARGE_BODY_BYTES)}`;
  body.messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
  return send(target, JSON.stringify(body));
}

function readBody({ body }: LoadTarget): string {
  return typeof body === 'function' ? body() : body;
}

/** Returns the status of the answer, 0 when the connection broke. */
function send({ host, port, path, headers }: LoadTarget, body: string): Promise<number> {
  return new Promise((resolve) => {
    const req = request({ host, port, path, method: 'POST', headers, agent: false }, (res) => {
      res.resume();
      res.on('close', () => resolve(res.statusCode ?? 0));
    });
    req.on('error', () => resolve(0));
    req.end(body);
  });
}

function startSampler(pids: Record<string, number>) {
  const services = Object.entries(pids).filter(([name]) => name !== 'postgres');
  let highest: Memory = {};
  const now = (): Memory => Object.fromEntries(services.map(([name, pid]) => [name, residentMb(pid) ?? Number.NaN]));
  const sample = (): void => {
    for (const [name, mb] of Object.entries(now())) highest[name] = Math.max(highest[name] ?? 0, mb);
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    now,
    max: (): Memory => {
      sample();
      return highest;
    },
    restart: () => {
      highest = {};
    },
    stop: () => clearInterval(timer),
  };
}
