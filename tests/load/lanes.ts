// What lanes save: the same calls as plain gRPC calls and as items of a lane, to a server in a process of its own. Both are
// measured in turns on one machine, and compared round by round.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { create } from '@bufbuild/protobuf';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { GrpcNetwork, startCall } from '@tollgate/rpc';
import { percentile } from './http-load.js';
import { processUsage } from './process-usage.js';
import { ms, table } from './table.js';

const CALLERS = 64;
const FRAMES = 20;
const ROUND_MS = 3_000;
const WARM_UP_MS = 3_000;

const principal = create(PrincipalSchema, {
  kind: PrincipalKind.SECRET_KEY,
  accountId: '7f000000-0000-4000-8000-000000000001',
  projectId: '7f000000-0000-4000-8000-000000000002',
  keyId: '7f000000-0000-4000-8000-000000000003',
});
const holdId = '7f000000-0000-4000-8000-000000000004';

interface Measured {
  perSecond: number;
  cpuMicros: number;
  p50Ms: number;
  p99Ms: number;
}

interface Variant {
  name: string;
  call(): Promise<void>;
}

/** Markdown: calls per second and CPU of client and server together, as medians over `rounds`. */
export async function laneTable(rounds: number, say: (line: string) => void): Promise<string> {
  const server = fork(new URL('./lane-server.ts', import.meta.url), {
    env: { ...process.env, FRAMES: String(FRAMES) },
  });
  const [address] = (await once(server, 'message')) as [string];
  const plain = connect(address, new Set());
  const lanes = connect(address, undefined);
  try {
    const lines: string[] = [];
    for (const kind of ['admit', 'generate'] as const) {
      const variants = [
        { name: `${kind}, plain gRPC`, call: plain[kind] },
        { name: `${kind}, lane`, call: lanes[kind] },
      ];
      lines.push(...(await compare(server, variants, rounds, say)));
    }
    return table('call | calls/s | CPU per call | p50 | p99 | CPU of a lane / of plain gRPC, per round', lines);
  } finally {
    await Promise.all([plain.close(), lanes.close()]);
    server.disconnect();
  }
}

function connect(address: string, hot: ReadonlySet<string> | undefined) {
  const addresses = { [BillingService.typeName]: address, [InferenceService.typeName]: address };
  const network = new GrpcNetwork({ addresses, ...(hot && { hot }) });
  const billing = network.client(BillingService);
  const inference = network.client(InferenceService);
  const start = () => startCall({ requestId: holdId, principal, timeoutMs: 30_000 });
  const admit = { holdId, model: 'openai/gpt-5-mini', inputTokensEstimate: 120n, maxOutputTokens: 1_000 };
  const generate = { holdId, body: Buffer.from('{"input":[]}'), stream: true, modelId: 'openai/gpt-5-mini' };
  return {
    async admit() {
      await billing.admit(admit, start());
    },
    async generate() {
      let frames = 0;
      for await (const { data } of inference.generate(generate, start())) frames += Math.sign(data.length);
      if (frames !== FRAMES) throw new Error(`${frames} frames instead of ${FRAMES}`);
    },
    close: () => network.close(),
  };
}

async function compare(
  server: ChildProcess,
  variants: readonly Variant[],
  rounds: number,
  say: (line: string) => void,
): Promise<string[]> {
  for (const variant of variants) await load(server, variant, WARM_UP_MS);
  const measured = variants.map((): Measured[] => []);
  for (let round = 0; round < rounds; round += 1) {
    // Each round begins with another variant, so that a trend of the machine meets both.
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const i of order) measured[i]!.push(await load(server, variants[i]!, ROUND_MS));
    say(`  round ${round + 1}: ${variants.map(({ name }, i) => `${name} ${show(measured[i]!.at(-1)!)}`).join(', ')}`);
  }
  const [plain, lane] = measured as [Measured[], Measured[]];
  const ratios = lane.map(({ cpuMicros }, i) => (cpuMicros / plain[i]!.cpuMicros).toFixed(2));
  return variants.map(({ name }, i) => {
    const median = (value: (one: Measured) => number) => percentile(measured[i]!.map(value), 0.5);
    const cells = [Math.round(median((one) => one.perSecond)), `${Math.round(median((one) => one.cpuMicros))} µs`];
    const waits = [ms(median((one) => one.p50Ms)), ms(median((one) => one.p99Ms))];
    return [name, ...cells, ...waits, i === 0 ? '' : ratios.join(', ')].join(' | ');
  });
}

function show({ perSecond, cpuMicros }: Measured): string {
  return `${Math.round(perSecond)}/s ${Math.round(cpuMicros)} µs`;
}

async function load(server: ChildProcess, { call }: Variant, durationMs: number): Promise<Measured> {
  const waits: number[] = [];
  const before = readCpuMs(server);
  const startedAt = performance.now();
  const caller = async (): Promise<void> => {
    for (let now = performance.now(); now - startedAt < durationMs; ) {
      await call();
      const after = performance.now();
      waits.push(after - now);
      now = after;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    perSecond: waits.length / seconds,
    cpuMicros: ((readCpuMs(server) - before) * 1000) / waits.length,
    p50Ms: percentile(waits, 0.5),
    p99Ms: percentile(waits, 0.99),
  };
}

/** CPU time of client and server. */
function readCpuMs(server: ChildProcess): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + processUsage(server.pid!).cpuMs;
}
