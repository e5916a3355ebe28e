import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeServer, listenOnLoopback } from './http-server.js';
import { waitUntil } from './wait-until.js';

/** One request that arrived. */
export interface Delivery {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The received bytes, which signatures cover. */
  rawBody: Buffer;
  receivedAt: Date;
}

/** How the receiver answers. */
export interface WebhookAnswer {
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
  body?: string | object;
  delayMs?: number;
  /** Never answers. */
  hang?: boolean;
  /** Answers 302 to this address. */
  redirectTo?: string;
  /** Closes the connection without an answer. */
  cut?: boolean;
}

/** A fake endpoint of a project owner: for webhooks, tool hooks and other calls. */
export interface WebhookReceiver {
  readonly url: string;
  /** All deliveries, oldest first. */
  readonly deliveries: readonly Delivery[];
  /** Sets the default answer. A function is called with each delivery. */
  answerWith(answer: WebhookAnswer | ((delivery: Delivery) => WebhookAnswer)): void;
  /** Scripts the next answers, one per delivery, in order. */
  answerNext(...answers: WebhookAnswer[]): void;
  /** Resolves with the first matching delivery, past or future. */
  waitFor(predicate: (delivery: Delivery) => boolean, timeoutMs?: number): Promise<Delivery>;
  /** Waits until this many deliveries have arrived; returns all. */
  waitForCount(count: number, timeoutMs?: number): Promise<readonly Delivery[]>;
  stop(): Promise<void>;
}

/** The delivery's body as JSON. */
export function parseDelivery(delivery: Delivery): Record<string, unknown> {
  return JSON.parse(delivery.rawBody.toString('utf8'));
}

/** Starts a receiver on the loopback interface that answers 200 unless a test changes it. */
export async function startWebhookReceiver({ port = 0 }: { port?: number } = {}): Promise<WebhookReceiver> {
  const deliveries: Delivery[] = [];
  const scripted: WebhookAnswer[] = [];
  let standing: (delivery: Delivery) => WebhookAnswer = () => ({});
  const server = createServer((req, res) => {
    receive(req)
      .then((delivery) => {
        deliveries.push(delivery);
        return respond(res, scripted.shift() ?? standing(delivery));
      })
      .catch(() => res.destroy());
  });
  const boundPort = await listenOnLoopback(server, port);
  return {
    url: `http://127.0.0.1:${boundPort}/`,
    deliveries,
    answerWith: (answer) => {
      standing = typeof answer === 'function' ? answer : () => answer;
    },
    answerNext: (...answers) => {
      scripted.push(...answers);
    },
    waitFor: (predicate, timeoutMs) =>
      waitUntil(() => deliveries.find(predicate), { timeoutMs, what: 'a matching delivery' }),
    waitForCount: (count, timeoutMs) =>
      waitUntil(() => deliveries.length >= count && deliveries, { timeoutMs, what: `${count} deliveries` }),
    stop: () => closeServer(server),
  };
}

async function receive(req: IncomingMessage): Promise<Delivery> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return {
    method: req.method ?? '',
    path: req.url ?? '',
    headers: req.headers,
    rawBody: Buffer.concat(chunks),
    receivedAt: new Date(),
  };
}

async function respond(res: ServerResponse, answer: WebhookAnswer): Promise<void> {
  if (answer.hang) return;
  if (answer.delayMs !== undefined) await sleep(answer.delayMs);
  if (answer.cut) {
    res.destroy();
    return;
  }
  const isJson = typeof answer.body === 'object';
  const location = answer.redirectTo === undefined ? {} : { location: answer.redirectTo };
  const status = answer.status ?? (answer.redirectTo === undefined ? 200 : 302);
  res.writeHead(status, { ...(isJson ? { 'content-type': 'application/json' } : {}), ...location, ...answer.headers });
  res.end(isJson ? JSON.stringify(answer.body) : answer.body);
}
