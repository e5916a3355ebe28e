// The CPU time that metrics and traces take: their share in CPU profiles of the whole gateway under load. Comparing the CPU per
// request of gateways with and without them shows nothing: it differs more from process to process.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '../gateway.js';
import { httpLoad } from '../http-load.js';
import { processUsage } from '../process-usage.js';
import { startUpstream } from '../servers.js';
import { table } from '../table.js';
import { type Period, readSourceShares } from './source-shares.js';

const LOAD_MS = 15_000;
const WARM_UP_MS = 6_000;
const CONNECTIONS = 16;
const SAMPLE_US = 250;
const GROUPS = {
  traces: /@opentelemetry\/|\/runtime\/src\/(tracing|telemetry)\.ts$|traced-call\.ts$/,
  metrics: /packages\/metrics\/|\/src\/metrics\/|metrics\.ts$/,
};

interface Variant {
  name: string;
  env: NodeJS.ProcessEnv;
}

function variants(otlp: string): Variant[] {
  const traced = (share: string): Variant => ({
    name: `traces, ${Number(share) * 100} % sampled`,
    env: {
      ...{ OTEL_ENABLED: '1', OTEL_EXPORTER_OTLP_ENDPOINT: otlp },
      ...{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: share },
    },
  });
  return [{ name: 'traces off', env: {} }, ...['0', '0.01', '1'].map(traced)];
}

export async function telemetryTable(say: (line: string) => void): Promise<string> {
  const upstream = await startUpstream(['--instant']);
  const sink = await startSink();
  try {
    const lines: string[] = [];
    for (const variant of variants(sink.url)) {
      say(`measuring: ${variant.name}`);
      const { cpuMs, shares } = await measure(upstream.baseUrl, variant);
      lines.push(`${variant.name} | ${cpuMs.toFixed(3)} ms | ${percent(shares.metrics)} | ${percent(shares.traces)}`);
    }
    const head = 'variant | CPU per request, profiled | share of metrics | share of traces';
    return `${table(head, lines)}\nThe OTLP sink took ${(sink.bytes() / 1e6).toFixed(1)} MB.\n`;
  } finally {
    upstream.stop();
    sink.stop();
  }
}

async function measure(upstream: string, { env }: Variant) {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  const nodeArgs = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${SAMPLE_US}`];
  try {
    const gateway = await startGateway(upstream, false, { env, nodeArgs });
    const pid = gateway.pids['all services'] ?? 0;
    const load = (durationMs: number) =>
      httpLoad(gateway.targets(false), { connections: CONNECTIONS, durationMs, warmUpMs: 0 });
    await load(WARM_UP_MS);
    const from = nowUs();
    const cpuBeforeMs = processUsage(pid).cpuMs;
    // More often than Prometheus does.
    const scraping = fetch(gateway.metricsUrl).then((response) => response.text());
    const { requests, errors } = await load(LOAD_MS);
    await scraping;
    const cpuMs = (processUsage(pid).cpuMs - cpuBeforeMs) / requests;
    const period: Period = { from, to: nowUs() };
    await gateway.stop();
    if (errors > 0) throw new Error(`${errors} requests failed`);
    const [profile] = readdirSync(folder).filter((name) => name.includes(`.${pid}.`));
    return { cpuMs, shares: readSourceShares(join(folder, profile ?? ''), period, GROUPS) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

function percent(share: number | undefined): string {
  return `${((share ?? 0) * 100).toFixed(1)} %`;
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
