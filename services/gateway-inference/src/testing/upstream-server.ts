import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { findVendorRefusal } from '@tollgate/testkit/vendor-rules';

export interface ReceivedRequest {
  path: string;
  headers: IncomingMessage['headers'];
  /** Parsed JSON; empty for other content. */
  body: Record<string, unknown>;
  raw: Buffer;
}

export type UpstreamHandler = (res: ServerResponse, received: ReceivedRequest, req: IncomingMessage) => void;

export interface UpstreamServer {
  /** `http://127.0.0.1:port/v1` */
  baseUrl: string;
  requests: ReceivedRequest[];
  /** Connections that were cut during an answer. */
  cuts: number;
  handler: UpstreamHandler;
  /** Leaves bodies unparsed, for tests that observe JSON. */
  keepsRaw: boolean;
  stop(): Promise<void>;
}

/** A real HTTP server as a provider; the test's handler answers what the real vendor would accept. */
export async function startUpstreamServer(handler: UpstreamHandler): Promise<UpstreamServer> {
  const sockets = new Set<Socket>();
  const server = createServer((req, res) => {
    res.on('close', () => {
      if (!res.writableFinished) upstream.cuts++;
    });
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const raw = Buffer.concat(chunks);
      const isJson = req.headers['content-type'] === 'application/json' && !upstream.keepsRaw;
      const body = isJson ? (JSON.parse(raw.toString('utf8')) as Record<string, unknown>) : {};
      const received = { path: req.url ?? '', headers: req.headers, body, raw };
      upstream.requests.push(received);
      const refusal = isJson ? findVendorRefusal(received.path, body) : undefined;
      if (!refusal) return upstream.handler(res, received, req);
      res.writeHead(refusal.status, { 'content-type': 'application/json' });
      res.end(JSON.stringify(refusal.body));
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const upstream: UpstreamServer = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: [],
    cuts: 0,
    handler,
    keepsRaw: false,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return upstream;
}
