import { connect, type Socket } from 'node:net';

/** Counts and latencies of one measured run. */
export interface LoadResult {
  requests: number;
  errors: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Time to the first byte of the body; streams only. */
  firstByteP50Ms: number;
}

export interface LoadTarget {
  host: string;
  port: number;
  path: string;
  headers: Record<string, string>;
  /** A function makes another body for each request. */
  body: string | (() => string);
  /** Default POST. */
  method?: 'GET' | 'POST';
}

const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKED_END = Buffer.from('0\r\n\r\n');

/**
 * A closed-loop load generator on bare sockets: `connections` keep-alive connections, each sends the next request when
 * its answer is complete. Its own CPU time is small enough not to affect the result; bounded by time.
 *
 * @param targets connection i uses target i modulo their number
 */
export async function httpLoad(
  targets: readonly LoadTarget[],
  options: { connections: number; durationMs: number; warmUpMs: number },
): Promise<LoadResult> {
  const samples: number[] = [];
  const firstBytes: number[] = [];
  let errors = 0;
  const startedAt = performance.now();
  const measureFrom = startedAt + options.warmUpMs;
  const until = measureFrom + options.durationMs;
  const onAnswer = (sentAt: number, firstByteAt: number, isOk: boolean): boolean => {
    const now = performance.now();
    if (sentAt >= measureFrom) {
      if (isOk) {
        samples.push(now - sentAt);
        firstBytes.push(firstByteAt - sentAt);
      } else errors += 1;
    }
    return now < until;
  };
  const pickTarget = (i: number): LoadTarget => targets[i % targets.length] as LoadTarget;
  await Promise.all(Array.from({ length: options.connections }, (_, i) => drive(pickTarget(i), onAnswer)));
  const seconds = options.durationMs / 1000;
  return {
    requests: samples.length,
    errors,
    perSecond: samples.length / seconds,
    p50Ms: percentile(samples, 0.5),
    p99Ms: percentile(samples, 0.99),
    firstByteP50Ms: percentile(firstBytes, 0.5),
  };
}

function drive(
  target: LoadTarget,
  onAnswer: (sentAt: number, firstByteAt: number, isOk: boolean) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host: target.host, port: target.port, noDelay: true });
    let buffered: Buffer = Buffer.alloc(0);
    let sentAt = 0;
    let firstByteAt = 0;
    const next = makeRequests(target);
    const send = (): void => {
      sentAt = performance.now();
      firstByteAt = 0;
      socket.write(next());
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('data', (chunk: Buffer) => {
      buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk]);
      const head = buffered.indexOf(HEAD_END);
      if (head < 0) return;
      if (firstByteAt === 0 && buffered.length > head + 4) firstByteAt = performance.now();
      if (!isComplete(buffered, head)) return;
      const isOk = buffered.toString('latin1', 9, 10) === '2';
      buffered = Buffer.alloc(0);
      if (onAnswer(sentAt, firstByteAt || performance.now(), isOk)) send();
      else socket.end();
    });
  });
}

function isComplete(buffer: Buffer, head: number): boolean {
  const length = /\r\ncontent-length: *(\d+)/i.exec(buffer.toString('latin1', 0, head));
  if (length) return buffer.length >= head + 4 + Number(length[1]);
  return buffer.subarray(-CHUNKED_END.length).equals(CHUNKED_END);
}

/** Returns a function that returns the bytes of the next request; they are encoded once if all are the same. */
function makeRequests(target: LoadTarget): () => Buffer {
  const { body } = target;
  if (typeof body === 'function') return () => toBytes(target, body());
  const bytes = toBytes(target, body);
  return () => bytes;
}

function toBytes({ host, port, path, headers, method = 'POST' }: LoadTarget, body: string): Buffer {
  const lines = Object.entries({
    ...headers,
    host: `${host}:${port}`,
    'content-length': String(Buffer.byteLength(body)),
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
}

export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
}
