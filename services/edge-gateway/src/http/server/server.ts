import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '@tollgate/errors';
import { elapsed, LATE, within } from '@tollgate/runtime';
import { renderError } from '../answer/render-error.js';
import type { OpenStreams } from '../answer/stream.js';
import { readRequestIds } from '../exchange/exchange.js';
import { EdgeRequest } from '../realtime/edge-request.js';

/** Longer than the idle time of common load balancers, so that they close first. */
const KEEP_ALIVE_MS = 75_000;
/** Announced to clients, which then send nothing on a connection that a stop closes: less than HTTP_IDLE_GRACE. */
const ANNOUNCED_KEEP_ALIVE_MS = 5_000;
const HEADERS_TIMEOUT_MS = 30_000;
/** Time for a whole request to arrive. Answers have no limit here. */
const REQUEST_TIMEOUT_MS = 120_000;
/** Age from which a connection that never carried a request counts as speculative and may be closed. */
const UNUSED_AFTER_MS = 1_000;
/**
 * Connections that the kernel completes before this process accepts them. The kernel's own limit (`net.core.somaxconn`) may
 * be lower. When the backlog is full, a client that connects while the event loop is busy has to retry.
 */
const ACCEPT_BACKLOG = 4_096;
/** Time that clients have to read the last event of a stream that a shutdown has ended. */
const STREAM_END_GRACE_MS = 500;
const SWEEP_MS = 100;

export interface HttpServer {
  /** host:port */
  address: string;
  /**
   * Stops accepting and lets requests finish for `drainMs`, then ends streams with an error event and closes connections.
   * Idle connections stay open for `idleGraceMs`, and each answer in that time carries `Connection: close`. A client that
   * sends at the moment of the stop then gets an answer instead of a reset.
   */
  stop(drainMs: number, idleGraceMs?: number): Promise<void>;
}

/** Serves the upgrades of the paths that have sockets. */
export type UpgradeListener = (req: IncomingMessage, socket: Duplex, head: Buffer) => void;

export async function startHttpServer(
  listener: RequestListener,
  at: { host: string; port: number },
  openStreams: OpenStreams,
  /** Called for bytes that are not a request, with the id in their answer. */
  onMalformed: (requestId: string) => void = () => undefined,
  onUpgrade?: UpgradeListener,
): Promise<HttpServer> {
  const timeouts = { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS };
  const server = createServer({ ...timeouts, IncomingMessage: EdgeRequest }, listener);
  if (onUpgrade) server.on('upgrade', onUpgrade);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.prependListener('request', announceKeepAlive);
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }, res) => answers.set(socket, res));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Within an open request the bytes are in its body, and the request has its own record.
    const isInRequest = answers.get(socket)?.writableFinished === false;
    answerClientError(error, socket as Socket, isInRequest ? () => undefined : onMalformed);
  });
  const closeUnused = watchUnused(server);
  await listen(server, at);
  const { port } = server.address() as AddressInfo;
  return {
    address: `${at.host === '0.0.0.0' ? '127.0.0.1' : at.host}:${port}`,
    stop: (drainMs, idleGraceMs = 0) => drain(server, { drainMs, idleGraceMs }, openStreams, closeUnused),
  };
}

/** Node copies the server's own timeout to each response and writes it into `Keep-Alive`. */
function announceKeepAlive(_req: unknown, res: ServerResponse & { _keepAliveTimeout?: number }): void {
  res._keepAliveTimeout = ANNOUNCED_KEEP_ALIVE_MS;
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: ACCEPT_BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Returns a function that closes unused connections. Node does not count them as idle and would wait for them. */
function watchUnused(server: Server): () => void {
  const unused = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    unused.set(socket, elapsed());
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  server.on('upgrade', ({ socket }) => unused.delete(socket));
  return () => {
    for (const [socket, openedAt] of unused) if (elapsed() - openedAt >= UNUSED_AFTER_MS) socket.destroy();
  };
}

async function drain(
  server: Server,
  { drainMs, idleGraceMs }: { drainMs: number; idleGraceMs: number },
  openStreams: OpenStreams,
  closeUnused: () => void,
): Promise<void> {
  const idleUntil = elapsed() + idleGraceMs;
  server.prependListener('request', (_req, res) => {
    res.shouldKeepAlive = false;
  });
  // The close of an HTTP server would also close idle connections, and does not close those that become idle later.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const sweep = setInterval(() => {
    if (elapsed() < idleUntil) return;
    server.closeIdleConnections();
    closeUnused();
  }, SWEEP_MS);
  try {
    if ((await within(closed, drainMs)) !== LATE) return;
    for (const stream of openStreams) stream.shutDown();
    if ((await within(closed, STREAM_END_GRACE_MS)) !== LATE) return;
    server.closeAllConnections();
    await closed;
  } finally {
    clearInterval(sweep);
    server.close(() => undefined); // clears the timers of the HTTP server
  }
}

/** Answers bytes that are not an HTTP request (bad syntax, endless headers) in the contract's error format. */
function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  onMalformed: (requestId: string) => void,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { requestId } = readRequestIds({});
  onMalformed(requestId);
  const { body } = renderError(new AppError('INVALID_INPUT', 'malformed request'), 'native', requestId);
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
