// CPU time per request of the gateway and its peers beside the floor's, in turns of one run: the ratio of neighboring turns holds
// on a machine whose speed changes.
import { httpLoad, type LoadTarget, percentile } from './http-load.js';
import { type ProcessUsage, processUsage } from './process-usage.js';
import { table } from './table.js';

const TURN_MS = 2_000;
/** Until the compiler has optimized most of the code: compiling takes a third of the CPU time of the first 10,000 requests. */
const WARM_UP_TURNS = 3;
const CONNECTIONS = 64;
export const SHAPES = ['chat completion', 'streamed chat completion', '/responses'] as const;

export type Shape = (typeof SHAPES)[number];

export interface Contender {
  name: string;
  /** Of all its processes; PostgreSQL's children count. */
  pids: number[];
  /** Undefined when it has no such endpoint. */
  targets(shape: Shape): LoadTarget[] | undefined;
  stop(): Promise<void>;
}

export interface Comparison {
  /** The first is the floor. */
  starts: readonly ((upstream: string) => Promise<Contender>)[];
  shapes: readonly Shape[];
  /** Whether a contender that cannot be started is left out. */
  isOptional: boolean;
}

interface Turn {
  cpuMs: number;
  perSecond: number;
  memoryMb: number;
}

/** Starts everything at once, since only neighboring turns compare, and returns a table of ratios. */
export async function cpuTable(
  upstream: string,
  options: Comparison & { rounds: number; say(line: string): void },
): Promise<string> {
  const contenders: Contender[] = [];
  const leftOut: string[] = [];
  try {
    for (const start of options.starts) {
      try {
        contenders.push(await start(upstream));
      } catch (error) {
        if (!options.isOptional) throw error;
        leftOut.push(
          `Left out: ${start.name.replaceAll(/^start|Peer$/g, '')}: ${error instanceof Error ? error.message : error}.`,
        );
        options.say(leftOut.at(-1) ?? '');
      }
    }
    const lines: string[] = [];
    for (const shape of options.shapes) lines.push(...(await compare(contenders, shape, options)));
    const head =
      'request, 64 connections | what | requests/s, median | CPU per request, median | × floor: lowest, median, highest | requests/s × floor, median | memory | errors';
    return [table(head, lines), ...leftOut].join('\n');
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
  for (let turn = 0; turn < WARM_UP_TURNS; turn++) for (const contender of asked) await takeTurn(contender, shape);
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
    const median = (value: (turn: Turn) => number) => percentile(own.map(value), 0.5);
    const spread = [Math.min(...ratios), percentile(ratios, 0.5), Math.max(...ratios)];
    return [
      shape,
      contender.name,
      Math.round(median(({ perSecond }) => perSecond)),
      `${median(({ cpuMs }) => cpuMs).toFixed(3)} ms`,
      spread.map((ratio) => ratio.toFixed(1)).join(', '),
      percentile(speeds, 0.5).toFixed(2),
      `${Math.round(median(({ memoryMb }) => memoryMb))} MB`,
      errors.get(contender) ?? 0,
    ].join(' | ');
  });
}

async function takeTurn({ pids, targets }: Contender, shape: Shape): Promise<Turn & { errors: number }> {
  const before = sumUsage(pids);
  const load = { connections: CONNECTIONS, durationMs: TURN_MS, warmUpMs: 0 };
  const { requests, perSecond, errors } = await httpLoad(targets(shape) ?? [], load);
  const { cpuMs, rssMb } = sumUsage(pids);
  return { cpuMs: (cpuMs - before.cpuMs) / Math.max(1, requests), memoryMb: rssMb, perSecond, errors };
}

function sumUsage(pids: readonly number[]): ProcessUsage {
  return pids.map(processUsage).reduce((sum, use) => ({ cpuMs: sum.cpuMs + use.cpuMs, rssMb: sum.rssMb + use.rssMb }));
}
