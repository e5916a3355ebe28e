// CPU time per request of metrics and of traces: whole gateways side by side, measured in turns, compared round by round.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Gateway, startGateway } from './gateway.js';
import { httpLoad, percentile } from './http-load.js';
import { processUsage } from './process-usage.js';
import { startUpstream } from './servers.js';
import { table } from './table.js';

const ROUND_MS = 2_000;
const WARM_UP_MS = 8_000;
const CONNECTIONS = 16;

interface Variant {
  name: string;
  env: NodeJS.ProcessEnv;
  nodeArgs: string[];
  isScraped: boolean;
  /** The variant to compare with. */
  base?: string;
}

const NO_METRICS = 'no metrics';
const METRICS = 'metrics';

function variants(otlp: string): Variant[] {
  const traced = (share: string): Variant => ({
    name: `traces, ${Number(share) * 100} % sampled`,
    env: {
      ...{ OTEL_ENABLED: '1', OTEL_EXPORTER_OTLP_ENDPOINT: otlp },
      ...{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: share },
    },
    nodeArgs: [],
    isScraped: true,
    base: METRICS,
  });
  const without = fileURLToPath(new URL('./without-metrics.mjs', import.meta.url));
  return [
    { name: NO_METRICS, env: {}, nodeArgs: ['--import', without], isScraped: false },
    { name: METRICS, env: {}, nodeArgs: [], isScraped: true, base: NO_METRICS },
    ...['0', '0.01', '1'].map(traced),
  ];
}

/** @param rounds at least five, for a median */
export async function telemetryTable(rounds: number, say: (line: string) => void): Promise<string> {
  const upstream = await startUpstream(['--instant']);
  const sink = await startSink();
  const gateways = new Map<Variant, Gateway>();
  try {
    for (const variant of variants(sink.url)) {
      say(`starting: ${variant.name}`);
      gateways.set(variant, await startGateway(upstream.baseUrl, false, variant));
    }
    for (const [variant, gateway] of gateways) await cpuMsPerRequest(gateway, variant, WARM_UP_MS);
    const measured = new Map([...gateways.keys()].map(({ name }) => [name, [] as number[]]));
    for (let round = 0; round < rounds; round++) {
      // Every round starts with another variant, so that none always follows the same one.
      const order = [...gateways];
      const turned = [...order.slice(round % order.length), ...order.slice(0, round % order.length)];
      for (const [variant, gateway] of turned)
        measured.get(variant.name)?.push(await cpuMsPerRequest(gateway, variant, ROUND_MS));
      say(
        `round ${round + 1} of ${rounds}: ${[...measured].map(([name, all]) => `${name} ${all.at(-1)?.toFixed(3)}`).join(', ')}`,
      );
    }
    return toTable([...gateways.keys()], measured, sink.bytes());
  } finally {
    for (const gateway of gateways.values()) await gateway.stop();
    upstream.stop();
    sink.stop();
  }
}

async function cpuMsPerRequest(gateway: Gateway, { isScraped }: Variant, durationMs: number): Promise<number> {
  const pid = gateway.pids['all services'] ?? 0;
  const before = processUsage(pid).cpuMs;
  // Scrapes more often than Prometheus does.
  const scraping = isScraped ? fetch(gateway.metricsUrl).then((response) => response.text()) : undefined;
  const { requests, errors } = await httpLoad(gateway.targets(false), {
    connections: CONNECTIONS,
    durationMs,
    warmUpMs: 0,
  });
  await scraping;
  if (errors > 0) throw new Error(`${errors} requests failed`);
  return (processUsage(pid).cpuMs - before) / requests;
}

function toTable(all: readonly Variant[], measured: ReadonlyMap<string, number[]>, sunk: number): string {
  const lines = all.map(({ name, base }) => {
    const own = measured.get(name) ?? [];
    const ratios = own.map((value, round) => value / (measured.get(base ?? name)?.[round] ?? Number.NaN));
    const range = `${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}`;
    const compared = base === undefined ? '– | – | –' : `${base} | ${percentile(ratios, 0.5).toFixed(3)} | ${range}`;
    return `${name} | ${percentile(own, 0.5).toFixed(3)} ms | ${compared}`;
  });
  const head = `variant | CPU per request, median of ${measured.get(METRICS)?.length} | against | ratio, median | lowest to highest`;
  return `${table(head, lines)}\nThe OTLP sink took ${(sunk / 1e6).toFixed(1)} MB.\n`;
}

/** Receives OTLP data and discards it. */
async function startSink(): Promise<{ url: string; bytes(): number; stop(): void }> {
  let bytes = 0;
  const server = createServer((req, res) => {
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    req.on('end', () => res.writeHead(200, { 'content-type': 'application/x-protobuf' }).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    bytes: () => bytes,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
