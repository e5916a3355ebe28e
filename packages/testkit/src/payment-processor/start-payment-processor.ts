import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOnLoopback } from '../http-server.js';
import { answerApi } from './api/answer-api.js';
import { createFaults, type Faults } from './api/faults.js';
import { invalid } from './api/processor-error.js';
import { type ObjectStore, openObjectStore } from './objects/object-store.js';
import { passTime } from './objects/passing-time.js';
import { closeDispute, type DisputeInput, failRefund, openDispute } from './objects/reversals.js';
import { setSubscriptionStatus } from './objects/subscriptions.js';
import { answerPage } from './pages/answer-page.js';
import { completeSession, endDelayedPayment, type Payer } from './pages/complete-session.js';
import { newId, type ProcessorState } from './processor-state.js';
import { createWebhookSender, type WebhookSender, type WebhookTarget } from './webhook-sender.js';
import type { SubscriptionStatus, WireDispute, WireEvent, WireSession } from './wire.js';

export interface PaymentProcessorOptions {
  /** Default: any free port. */
  port?: number;
  /** The file that keeps the state across restarts. */
  file?: string;
  /** Default: the system clock. */
  clock?: { nowMs(): number };
  webhooks?: WebhookTarget;
  /** How often due renewals and expiries are processed; 0: only by `passTime()`. Default 1 s. */
  tickMs?: number;
  /** Records the requests for `requests()`. */
  recordsRequests?: boolean;
}

/** A request as received, for tests that compare it with the processor's published API description. */
export interface ProcessorRequest {
  method: string;
  path: string;
  query: string;
  body: string;
}

/** A fake of the card processor: its HTTP API, its webhook events, and the page that payers see. */
export interface PaymentProcessor {
  /** For the library's host, port and protocol options. */
  baseUrl: string;
  webhooks: WebhookSender;
  faults: Faults;
  /** State, for assertions. `put` changes an object without an event. */
  store: ObjectStore;
  /** API requests so far. */
  requests(): readonly ProcessorRequest[];
  /** Pays an open checkout as its page does. @throws Error when the card is declined */
  pay(sessionId: string, payer?: Partial<Payer>): WireSession;
  /** Acts as a bank or the dashboard. */
  setSubscriptionStatus(id: string, status: SubscriptionStatus): void;
  endDelayedPayment(sessionId: string, outcome: 'paid' | 'failed'): void;
  openDispute(paymentIntent: string, dispute?: DisputeInput): WireDispute;
  closeDispute(id: string, status: 'won' | 'lost'): void;
  failRefund(id: string): void;
  /** Processes the renewals, ends and expiries that are due. */
  passTime(): void;
  stop(): Promise<void>;
}

const BODY_BYTES_MAX = 1_000_000;

export async function startPaymentProcessor(options: PaymentProcessorOptions = {}): Promise<PaymentProcessor> {
  const clock = options.clock ?? { nowMs: () => Date.now() };
  const faults = createFaults();
  const requests: ProcessorRequest[] = [];
  let baseUrl = '';
  let tell: (event: WireEvent) => void = () => undefined;
  const state: ProcessorState = {
    store: openObjectStore(options.file),
    nowMs: () => clock.nowMs(),
    baseUrl: () => baseUrl,
    onEvent: (event) => tell(event),
  };
  const webhooks = createWebhookSender(state);
  tell = webhooks.add;
  const server = createServer((req, res) => {
    serve(state, faults, req, res, options.recordsRequests ? requests : undefined).catch(() => res.destroy());
  });
  baseUrl = `http://127.0.0.1:${await listenOnLoopback(server, options.port ?? 0)}`;
  if (options.webhooks) webhooks.sendTo(options.webhooks);
  const tickMs = options.tickMs ?? 1_000;
  const ticks = tickMs > 0 ? setInterval(() => passTime(state), tickMs) : undefined;
  ticks?.unref();
  return {
    baseUrl,
    webhooks,
    faults,
    store: state.store,
    requests: () => requests,
    pay: (id, payer) =>
      completeSession(state, id, { card: 'pm_card_visa', email: 'payer@example.com', savesCard: false, ...payer }),
    setSubscriptionStatus: (id, status) => void setSubscriptionStatus(state, id, status),
    endDelayedPayment: (id, outcome) => endDelayedPayment(state, id, outcome),
    openDispute: (intent, dispute) => openDispute(state, intent, dispute),
    closeDispute: (id, status) => void closeDispute(state, id, status),
    failRefund: (id) => void failRefund(state, id),
    passTime: () => passTime(state),
    stop: async () => {
      clearInterval(ticks);
      webhooks.stop();
      await closeServer(server);
    },
  };
}

async function serve(
  state: ProcessorState,
  faults: ReturnType<typeof createFaults>,
  req: IncomingMessage,
  res: ServerResponse,
  record: ProcessorRequest[] | undefined,
): Promise<void> {
  const body = await readBody(req);
  const { pathname: path, search } = new URL(req.url ?? '/', 'http://localhost');
  const request = { method: req.method ?? 'GET', path, query: search.slice(1), body };
  const name = `${request.method} ${path}`;
  if (faults.cutsNow(name, 'before')) return void res.destroy();
  const page = answerPage(state, request);
  if (page) {
    res.writeHead(page.status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      ...(page.location !== undefined && { location: page.location }),
    });
    res.end(page.html ?? '');
    return;
  }
  record?.push(request);
  const key = req.headers['idempotency-key'];
  const idempotencyKey = typeof key === 'string' ? key : undefined;
  const refusal = faults.takeRefusal(name);
  const isFailing = faults.takeFailure(name);
  const answer =
    refusal === undefined
      ? answerApi(state, { ...request, authorization: req.headers.authorization, idempotencyKey, isFailing })
      : { status: 400, body: JSON.stringify(invalid(refusal).body) };
  await faults.takePause(name);
  if (faults.cutsNow(name, 'after')) return void res.destroy();
  res.writeHead(answer.status, {
    'content-type': 'application/json',
    'request-id': newId('req'),
    ...('isReplay' in answer && answer.isReplay && { 'idempotent-replayed': 'true' }),
  });
  res.end(answer.body);
}

async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new Error('the request body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
