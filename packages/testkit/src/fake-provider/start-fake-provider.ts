import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOnLoopback } from '../http-server.js';
import { type AnswerRequest, lastUserText, planAnswer } from './answer-plan.js';
import { type Behaviour, behaviourOf } from './behaviour.js';
import { chatBody, chatFrames, readChatRequest } from './chat-completions.js';
import type { CallIdentity } from './frames.js';
import { type CallRecorder, type Journal, openJournal } from './journal.js';
import { embeddingsBody, errorBody, imagesBody, modelsBody } from './other-endpoints.js';
import { playBody, playFrames, watchForGone } from './play.js';
import { readResponsesRequest, responsesBody, responsesFrames } from './responses-api.js';

/** A request as the provider got it. */
export interface UpstreamRequest {
  endpoint: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies freely; their assertions are the check
  body: any;
}

export interface FakeProviderOptions {
  port?: number;
  /** Journal file; appended to synchronously. */
  journal?: string;
  /** Refuses other bearer keys with 401; default: takes any. */
  apiKey?: string;
  /** What `GET /models` lists. */
  models?: readonly string[];
}

/** A model provider on the loopback interface that speaks OpenAI's wire formats. */
export interface FakeProvider {
  /** With the version segment, as a client library wants it. */
  readonly baseUrl: string;
  readonly journal: Journal;
  /** The last 1,000 requests, oldest first. */
  readonly requests: readonly UpstreamRequest[];
  /** Behaviour of every request from now on; words in the last user text add to it. */
  always(behaviour: Behaviour): void;
  /** Behaviour of the next requests only, before any other. */
  next(behaviour: Behaviour, times?: number): void;
  stop(): Promise<void>;
}

const REQUESTS_KEPT = 1000;

/** Starts the fake. Answers depend on the request alone; see `behaviourOf` for what a test can ask for in the text. */
export async function startFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  const journal = openJournal(options.journal);
  const requests: UpstreamRequest[] = [];
  const queued: Behaviour[] = [];
  let standing: Behaviour = {};
  let calls = 0;
  const server = createServer((req, res) => {
    handle(req, res).catch((error: unknown) => refuse(res, 400, {}, `could not read the request: ${String(error)}`));
  });
  // A benchmark's idle connections must not be closed under it.
  server.keepAliveTimeout = 60_000;

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const endpoint = endpointOf(req);
    const number = ++calls;
    res.setHeader('x-request-id', `req_fake_${number}`);
    if (options.apiKey !== undefined && req.headers.authorization !== `Bearer ${options.apiKey}`)
      return refuse(res, 401, {});
    if (endpoint === 'GET /models') return sendJson(res, modelsBody(options.models ?? ['fake-model']));
    const body = JSON.parse(await readText(req));
    requests.push({ endpoint, headers: req.headers, body });
    if (requests.length > REQUESTS_KEPT) requests.shift();
    const scripted = queued.shift();
    const call = journal.begin({
      endpoint,
      model: String(body.model),
      stream: body.stream === true,
      ...(typeof req.headers['x-client-request-id'] === 'string'
        ? { clientRequestId: req.headers['x-client-request-id'] }
        : {}),
    });
    const identity = { number, model: String(body.model), createdAtSeconds: Math.floor(Date.now() / 1000) };
    await answer({ endpoint, body, res, call, identity, base: { ...standing, ...scripted } });
  }

  const port = await listenOnLoopback(server, options.port ?? 0);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    journal,
    requests,
    always: (behaviour) => {
      standing = behaviour;
    },
    next: (behaviour, times = 1) => {
      queued.push(...Array.from({ length: times }, () => behaviour));
    },
    stop: async () => {
      await closeServer(server);
      journal.close();
    },
  };
}

interface Turn {
  endpoint: string;
  // biome-ignore lint/suspicious/noExplicitAny: each endpoint's reader gives it a type
  body: any;
  res: ServerResponse;
  call: CallRecorder;
  identity: CallIdentity;
  base: Behaviour;
}

async function answer(turn: Turn): Promise<void> {
  const { endpoint, body, res, call, identity, base } = turn;
  switch (endpoint) {
    case 'POST /chat/completions': {
      const request = readChatRequest(body);
      return answerModelCall(turn, request, chatBody, (plan) => chatFrames(plan, request, identity));
    }
    case 'POST /responses':
      return answerModelCall(turn, readResponsesRequest(body), responsesBody, (plan) =>
        responsesFrames(plan, identity),
      );
    case 'POST /embeddings': {
      if (await misbehaves(res, base, call)) return;
      const { body: embeddings, inputTokens } = embeddingsBody(body);
      return playBody(res, embeddings, { inputTokens, outputTokens: 0 }, base, call);
    }
    case 'POST /images/generations': {
      const behaviour = { ...behaviourOf(String(body.prompt)), ...base };
      if (await misbehaves(res, behaviour, call)) return;
      return playBody(
        res,
        imagesBody(body, identity.createdAtSeconds),
        { inputTokens: 0, outputTokens: 0 },
        behaviour,
        call,
      );
    }
    default:
      refuseCall(res, 404, {}, call);
  }
}

async function answerModelCall(
  { res, call, identity, base }: Turn,
  request: AnswerRequest,
  makeBody: (plan: ReturnType<typeof planAnswer>, identity: CallIdentity) => object,
  makeFrames: (plan: ReturnType<typeof planAnswer>) => Iterable<{ text: string; tokens: number }>,
): Promise<void> {
  const behaviour = { ...behaviourOf(lastUserText(request)), ...base };
  if (await misbehaves(res, behaviour, call)) return;
  const plan = planAnswer(request, behaviour);
  if (request.stream) return playFrames(res, makeFrames(plan), plan.inputTokens, behaviour, call);
  return playBody(res, makeBody(plan, identity), plan, behaviour, call);
}

/** Refuses or goes silent before the first byte, where that is asked for. */
async function misbehaves(res: ServerResponse, behaviour: Behaviour, call: CallRecorder): Promise<boolean> {
  if (behaviour.status !== undefined) {
    refuseCall(res, behaviour.status, behaviour, call);
    return true;
  }
  if (behaviour.hang !== 'before_headers') return false;
  await watchForGone(res).promise;
  call.ended('client_gone');
  return true;
}

function refuseCall(res: ServerResponse, status: number, behaviour: Behaviour, call: CallRecorder): void {
  call.answered(status, 0);
  refuse(res, status, behaviour);
  call.ended('refused');
}

function refuse(res: ServerResponse, status: number, { retryAfterSeconds }: Behaviour, message?: string): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (retryAfterSeconds !== undefined) res.setHeader('retry-after', String(retryAfterSeconds));
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(errorBody(status, message)));
}

function sendJson(res: ServerResponse, body: object): void {
  res.writeHead(200, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}

/** Method and path without the version segment and the query. */
function endpointOf(req: IncomingMessage): string {
  const path = (req.url ?? '/').split('?')[0] ?? '/';
  return `${req.method} ${path.replace(/^\/v1(?=\/)/, '')}`;
}

async function readText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
