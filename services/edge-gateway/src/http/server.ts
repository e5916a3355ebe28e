import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { AppError } from '@tollgate/errors';
import { LATE, within } from '@tollgate/runtime';
import { renderError } from './render-error.js';
import { requestIdsOf } from './request-id.js';
import type { OpenStreams } from './stream-framing.js';

/** Longer than the idle time of common load balancers, so that they close first. */
const KEEP_ALIVE_MS = 75_000;
const HEADERS_TIMEOUT_MS = 30_000;
/** For a whole request to arrive; answers may take as long as they like. */
const REQUEST_TIMEOUT_MS = 120_000;
/** A connection that has been silent this long since it was opened was opened ahead of need; nobody waits on it. */
const UNUSED_AFTER_MS = 1_000;
/**
 * Connections that the kernel completes before this process accepts them; the kernel's own limit (`net.core.somaxconn`)
 * may be lower. With too few, clients that arrive while the event loop is busy wait for their connection to be retried.
 */
const ACCEPT_BACKLOG = 4_096;
/** For clients to read the last event of a stream that was ended for them. */
const LAST_WORDS_MS = 500;

export interface HttpServer {
  /** host:port */
  address: string;
  /** Stops accepting, lets running requests finish for `drainMs`, ends streams with their last event, then cuts. */
  stop(drainMs: number): Promise<void>;
}

export async function startHttpServer(
  listener: RequestListener,
  at: { host: string; port: number },
  openStreams: OpenStreams,
): Promise<HttpServer> {
  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS }, listener);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on('clientError', answerClientError);
  const closeUnused = watchUnused(server);
  await listen(server, at);
  const { port } = server.address() as AddressInfo;
  return {
    address: `${at.host === '0.0.0.0' ? '127.0.0.1' : at.host}:${port}`,
    stop: (drainMs) => drain(server, drainMs, openStreams, closeUnused),
  };
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

/** Connections that never carried a request; for Node these are not idle, and a close would wait for them. */
function watchUnused(server: Server): () => void {
  const unused = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    unused.set(socket, Date.now());
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return () => {
    for (const [socket, openedAt] of unused) if (Date.now() - openedAt >= UNUSED_AFTER_MS) socket.destroy();
  };
}

async function drain(
  server: Server,
  drainMs: number,
  openStreams: OpenStreams,
  closeUnused: () => void,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that falls idle after the close is not closed by it.
  const sweep = setInterval(() => {
    server.closeIdleConnections();
    closeUnused();
  }, 100);
  try {
    if ((await within(closed, drainMs)) !== LATE) return;
    for (const stream of openStreams) stream.shutDown();
    if ((await within(closed, LAST_WORDS_MS)) !== LATE) return;
    server.closeAllConnections();
    await closed;
  } finally {
    clearInterval(sweep);
  }
}

/** What never became a request (bad syntax, endless headers) still gets an answer of the contract. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { body } = renderError(
    new AppError('INVALID_INPUT', 'malformed request'),
    'native',
    requestIdsOf({}).requestId,
  );
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
