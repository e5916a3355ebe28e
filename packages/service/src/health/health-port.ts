import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MetricsRegistry } from '@tollgate/metrics';
import { LATE, type Stoppable, within } from '@tollgate/runtime';
import type { Health } from './health.js';
import { toReadiness } from './readiness-body.js';

/** The health of a service. */
type Reporter = Pick<Health, 'report'>;

/** The HTTP port for probes and scrapes. It is for operators: never expose it to clients. */
export interface HealthPort extends Stoppable {
  /** host:port */
  address: string;
  /** Lets `/readyz` depend on a service. */
  watch(service: string, health: Reporter): void;
}

export interface HealthPortOptions {
  host: string;
  /** 0 picks a free port. */
  port: number;
  metrics: MetricsRegistry;
  /** Default 8 s: less than the 10 s that Prometheus waits. */
  scrapeTimeoutMs?: number;
}

const SCRAPE_TIMEOUT_MS = 8_000;
const CONNECTIONS_MAX = 100;
const HEADER_BYTES_MAX = 16 * 1024;
const REQUEST_TIMEOUT_MS = 5_000;
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Serves `/metrics`, `/healthz` (the process runs) and `/readyz` (all its services should get calls). Reads no body, and
 * answers until it is stopped: a scrape sees the drain.
 */
export async function startHealthPort(options: HealthPortOptions): Promise<HealthPort> {
  const services = new Map<string, Reporter>();
  const server = createServer(
    { maxHeaderSize: HEADER_BYTES_MAX, requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    (req, res) => void answer(req, res, options, services),
  );
  server.maxConnections = CONNECTIONS_MAX;
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    address: `${options.host === '0.0.0.0' ? '127.0.0.1' : options.host}:${port}`,
    watch: (service, health) => void services.set(service, health),
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server, { host, port }: HealthPortOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Never rejects. */
async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  { metrics, scrapeTimeoutMs = SCRAPE_TIMEOUT_MS }: HealthPortOptions,
  services: ReadonlyMap<string, Reporter>,
): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    // The unread body ends with the connection.
    res.setHeader('Connection', 'close');
    res.setHeader('Allow', 'GET, HEAD');
    return write(res, 405, 'text/plain', 'method not allowed\n');
  }
  const path = req.url?.split('?', 1)[0];
  if (path === '/healthz') return writeJson(res, 200, { status: 'ok' });
  if (path === '/readyz') {
    const body = toReadiness(services);
    return writeJson(res, body.status === 'unavailable' ? 503 : 200, body);
  }
  if (path !== '/metrics') return write(res, 404, 'text/plain', 'not found\n');
  try {
    const text = await within(metrics.scrape(), scrapeTimeoutMs);
    if (text === LATE) write(res, 503, 'text/plain', 'the metrics were not read in time\n');
    else write(res, 200, METRICS_TYPE, text);
  } catch {
    write(res, 500, 'text/plain', 'the metrics could not be read\n');
  }
}

function writeJson(res: ServerResponse, status: number, body: object): void {
  write(res, status, 'application/json; charset=utf-8', JSON.stringify(body));
}

function write(res: ServerResponse, status: number, type: string, body: string): void {
  if (res.destroyed) return;
  const length = String(Buffer.byteLength(body));
  res.writeHead(status, { 'Content-Type': type, 'Content-Length': length, 'Cache-Control': 'no-store' });
  res.end(body);
}
