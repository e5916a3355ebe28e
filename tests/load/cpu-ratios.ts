// CPU time per request of the gateway and its peers beside the floor's, in turns of one run: the ratio of neighboring turns holds
// on a machine whose speed changes.
import { chatTarget, startGateway } from './gateway.js';
import { httpLoad, type LoadTarget, percentile } from './http-load.js';
import { type Peer, startFloor, startPortkey } from './peers.js';
import { processUsage } from './process-usage.js';
import { table } from './table.js';

const TURN_MS = 2_000;
const CONNECTIONS = 64;
const SHAPES = ['chat completion', 'streamed chat completion', '/responses'] as const;

type Shape = (typeof SHAPES)[number];

interface Contender {
  name: string;
  /** Of all its processes; PostgreSQL's children count. */
  pids: number[];
  /** Undefined when it has no such endpoint. */
  targets(shape: Shape): LoadTarget[] | undefined;
  stop(): Promise<void>;
}

interface Turn {
  cpuMs: number;
  perSecond: number;
}

/** Starts everything at once, since only neighboring turns compare, and returns a table of ratios. */
export async function cpuTable(
  upstream: string,
  options: { rounds: number; withPortkey: boolean; say(line: string): void },
): Promise<string> {
  const contenders: Contender[] = [];
  try {
    for (const start of [startFloorContender, ...(options.withPortkey ? [startPortkeyContender] : [])])
      contenders.push(await start(upstream));
    for (const isSeparate of [false, true]) contenders.push(await startGatewayContender(upstream, isSeparate));
    const lines: string[] = [];
    for (const shape of SHAPES) lines.push(...(await compare(contenders, shape, options)));
    const head =
      'request, 64 connections | what | CPU per request, median | × floor: lowest, median, highest | requests/s × floor, median | errors';
    return table(head, lines);
  } finally {
    for (const { stop } of contenders) await stop();
  }
}

async function compare(
  contenders: readonly Contender[],
  shape: Shape,
  { rounds, say }: { rounds: number; say(line: string): void },
): Promise<string[]> {
  const asked = contenders.filter(({ targets }) => targets(shape));
  const turns = new Map(asked.map((contender) => [contender, [] as Turn[]]));
  const errors = new Map<Contender, number>();
  for (const contender of asked) await takeTurn(contender, shape); // warms up
  for (let round = 0; round < rounds; round++) {
    const first = round % asked.length;
    for (const contender of [...asked.slice(first), ...asked.slice(0, first)]) {
      const turn = await takeTurn(contender, shape);
      turns.get(contender)?.push(turn);
      errors.set(contender, (errors.get(contender) ?? 0) + turn.errors);
    }
    const seen = asked.map((it) => `${it.name} ${turns.get(it)?.at(-1)?.cpuMs.toFixed(3)} ms`);
    say(`${shape}, round ${round + 1} of ${rounds}: ${seen.join(', ')}`);
  }
  const floor = turns.get(asked[0] as Contender) ?? [];
  return asked.map((contender) => {
    const own = turns.get(contender) ?? [];
    const ratios = own.map(({ cpuMs }, round) => cpuMs / (floor[round]?.cpuMs ?? Number.NaN));
    const speeds = own.map(({ perSecond }, round) => perSecond / (floor[round]?.perSecond ?? Number.NaN));
    const cpu = percentile(
      own.map(({ cpuMs }) => cpuMs),
      0.5,
    );
    const spread = [Math.min(...ratios), percentile(ratios, 0.5), Math.max(...ratios)];
    return [
      shape,
      contender.name,
      `${cpu.toFixed(3)} ms`,
      spread.map((ratio) => ratio.toFixed(1)).join(', '),
      percentile(speeds, 0.5).toFixed(2),
      errors.get(contender) ?? 0,
    ].join(' | ');
  });
}

async function takeTurn({ pids, targets }: Contender, shape: Shape): Promise<Turn & { errors: number }> {
  const before = sumCpuMs(pids);
  const load = { connections: CONNECTIONS, durationMs: TURN_MS, warmUpMs: 0 };
  const { requests, perSecond, errors } = await httpLoad(targets(shape) ?? [], load);
  return { cpuMs: (sumCpuMs(pids) - before) / Math.max(1, requests), perSecond, errors };
}

function sumCpuMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + processUsage(pid).cpuMs, 0);
}

/** It makes the same call for every shape. */
async function startFloorContender(upstream: string): Promise<Contender> {
  const floor = await startFloor(upstream);
  return toContender('bare proxy (floor)', floor, (shape) => [
    chatTarget(floor.port, {}, shape === 'streamed chat completion'),
  ]);
}

async function startPortkeyContender(upstream: string): Promise<Contender> {
  const portkey = await startPortkey();
  const headers = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': upstream, authorization: 'Bearer load' };
  return toContender('Portkey (bills nothing)', portkey, (shape) =>
    shape === '/responses' ? undefined : [chatTarget(portkey.port, headers, shape === 'streamed chat completion')],
  );
}

function toContender(name: string, { pid, stop }: Peer, targets: Contender['targets']): Contender {
  return { name, pids: [pid], targets, stop };
}

async function startGatewayContender(upstream: string, isSeparate: boolean): Promise<Contender> {
  const gateway = await startGateway(upstream, isSeparate);
  return {
    name: isSeparate ? 'Tollgate, separate processes' : 'Tollgate, one process',
    pids: Object.values(gateway.pids),
    targets: (shape) =>
      shape === '/responses' ? gateway.responsesTargets() : gateway.targets(shape === 'streamed chat completion'),
    stop: gateway.stop,
  };
}
