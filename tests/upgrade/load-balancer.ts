// Distributes HTTP requests over the edges that accept new ones, each on its own connection, as a load balancer does.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from '@tollgate/testkit';

export interface LoadBalancer {
  url: string;
  add(port: number): void;
  /** Sends no new requests there. Resolves when every request there has response headers or has ended. */
  remove(port: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startLoadBalancer(httpPort: number): Promise<LoadBalancer> {
  const ports: number[] = [];
  const unanswered = new Map<number, number>();
  let next = 0;
  const count = (port: number, change: number): void => void unanswered.set(port, (unanswered.get(port) ?? 0) + change);

  const forward = (incoming: IncomingMessage, answer: ServerResponse): void => {
    const port = ports[next++ % ports.length];
    if (port === undefined) return void answer.writeHead(502).end('no edge takes requests');
    count(port, 1);
    let isAnswered = false;
    const settle = (): void => {
      if (!isAnswered) count(port, -1);
      isAnswered = true;
    };
    const { method, url: path, headers } = incoming;
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (received) => {
      settle();
      const { connection: _, 'keep-alive': __, ...kept } = received.headers;
      answer.writeHead(received.statusCode ?? 502, kept);
      received.pipe(answer);
      received.on('error', () => answer.destroy());
    });
    outgoing.on('error', (error) => {
      settle();
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end(`the edge at ${port} did not answer: ${error.message}`);
    });
    answer.on('close', () => {
      settle();
      if (!answer.writableFinished) outgoing.destroy();
    });
    incoming.pipe(outgoing);
  };

  const server = createServer({ keepAliveTimeout: 300_000 }, forward);
  server.listen(httpPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    add: (added) => void ports.push(added),
    remove: async (removed) => {
      ports.splice(ports.indexOf(removed), 1);
      await waitUntil(() => (unanswered.get(removed) ?? 0) === 0, {
        what: 'the requests of an edge to be answered',
      });
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
