import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

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

/** A real HTTP server as a provider; the test's handler answers. */
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
      upstream.handler(res, received, req);
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
