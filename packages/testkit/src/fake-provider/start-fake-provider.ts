import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOnLoopback } from '../http-server.js';
import { findVendorRefusal } from '../vendor-rules/find-refusal.js';
import { type AnswerRequest, lastUserText, planAnswer } from './answer-plan.js';
import { playSpeech, readFormBody, speechFrames, transcriptBody, transcriptFrames } from './audio.js';
import { type Behavior, parseBehavior } from './behavior.js';
import { chatBody, chatFrames, readChatRequest } from './chat-completions.js';
import type { CallIdentity } from './frames.js';
import {
  generateBody,
  generateErrorBody,
  generateFrames,
  generateTarget,
  readGenerateRequest,
} from './generate-content.js';
import { type CallRecorder, type Journal, openJournal } from './journal.js';
import { messagesBody, messagesErrorBody, messagesFrames, readMessagesRequest } from './messages-api.js';
import { embeddingsBody, errorBody, imagesBody, modelsBody } from './other-endpoints.js';
import { playBody, playFrames, watchForGone } from './play.js';
import { type FakeRealtime, serveRealtime } from './realtime/serve-realtime.js';
import { readResponsesRequest, responsesBody, responsesFrames } from './responses-api.js';

/** A request as the provider received it. */
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
  /** Rejects other keys with 401; default: accepts any. */
  apiKey?: string;
  /** Refuses what the real vendors refuse, with their errors. */
  refusesAsVendors?: boolean;
  /** What `GET /models` lists. */
  models?: readonly string[];
}

/** A model provider on the loopback interface that speaks the wire formats of OpenAI, Anthropic and Google. */
export interface FakeProvider {
  /** With the version segment, as client libraries expect it. */
  readonly baseUrl: string;
  /** The base URLs of the other wire formats. */
  readonly anthropicBaseUrl: string;
  readonly googleBaseUrl: string;
  readonly journal: Journal;
  readonly realtime: FakeRealtime;
  /** The last 1,000 requests, oldest first. */
  readonly requests: readonly UpstreamRequest[];
  /** Behavior of every later request; words in the last user text extend it. */
  always(behavior: Behavior): void;
  /** Behavior of the next requests only; takes precedence. */
  next(behavior: Behavior, times?: number): void;
  /** Leaves every later request without an answer until the returned function is called. */
  pause(): () => void;
  stop(): Promise<void>;
}

const REQUESTS_KEPT = 1000;

/**
 * Starts the fake. Answers depend only on the request; see `behaviorOf` for the phrases that a test can use in the
 * text.
 */
export async function startFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  const journal = openJournal(options.journal);
  const requests: UpstreamRequest[] = [];
  const queued: Behavior[] = [];
  let standing: Behavior = {};
  let resumed: Promise<void> | undefined;
  let calls = 0;
  const server = createServer((req, res) => {
    handle(req, res).catch((error: unknown) => refuse(res, 400, {}, `could not read the request: ${String(error)}`));
  });
  // A benchmark's idle connections must not be closed under it.
  server.keepAliveTimeout = 60_000;

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const endpoint = toEndpoint(req);
    const number = ++calls;
    res.setHeader('x-request-id', `req_fake_${number}`);
    if (options.apiKey !== undefined && readKey(req.headers) !== options.apiKey)
      return refuse(res, 401, {}, undefined, pickErrorBody(endpoint));
    if (endpoint === 'GET /models') return sendJson(res, modelsBody(options.models ?? ['fake-model']));
    const body = await readBody(req);
    requests.push({ endpoint, headers: req.headers, body });
    if (requests.length > REQUESTS_KEPT) requests.shift();
    const scripted = queued.shift();
    const target = generateTarget(endpoint);
    const model = target?.model ?? String(body.model);
    const call = journal.begin({
      endpoint,
      model,
      stream: target?.isStream ?? body.stream === true,
      ...(typeof req.headers['x-client-request-id'] === 'string'
        ? { clientRequestId: req.headers['x-client-request-id'] }
        : {}),
    });
    await resumed;
    const refusal = options.refusesAsVendors ? findVendorRefusal(endpoint, body) : undefined;
    if (refusal) return refuseCall(res, refusal.status, {}, call, () => refusal.body);
    const identity = { number, model, createdAtSeconds: Math.floor(Date.now() / 1000) };
    await answer({ endpoint, body, res, call, identity, base: { ...standing, ...scripted } });
  }

  const realtime = serveRealtime(server, options.apiKey);
  const port = await listenOnLoopback(server, options.port ?? 0);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    anthropicBaseUrl: `http://127.0.0.1:${port}`,
    googleBaseUrl: `http://127.0.0.1:${port}/v1beta`,
    journal,
    realtime,
    requests,
    always: (behavior) => {
      standing = behavior;
    },
    next: (behavior, times = 1) => {
      queued.push(...Array.from({ length: times }, () => behavior));
    },
    pause: () => {
      let resume = () => {};
      resumed = new Promise((resolve) => {
        resume = resolve;
      });
      return resume;
    },
    stop: async () => {
      realtime.cut();
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
  base: Behavior;
}

async function answer(turn: Turn): Promise<void> {
  const { endpoint, body, res, call, identity, base } = turn;
  const target = generateTarget(endpoint);
  if (target) {
    return answerModelCall(turn, readGenerateRequest(body, target), generateBody, (plan) =>
      generateFrames(plan, identity),
    );
  }
  switch (endpoint) {
    case 'POST /chat/completions': {
      const request = readChatRequest(body);
      return answerModelCall(turn, request, chatBody, (plan) => chatFrames(plan, request, identity));
    }
    case 'POST /responses':
      return answerModelCall(turn, readResponsesRequest(body), responsesBody, (plan) =>
        responsesFrames(plan, identity),
      );
    case 'POST /messages':
      return answerModelCall(turn, readMessagesRequest(body), messagesBody, (plan) => messagesFrames(plan, identity));
    case 'POST /embeddings': {
      if (await misbehaves(res, base, call)) return;
      const { body: embeddings, inputTokens } = embeddingsBody(body);
      return playBody(res, embeddings, { inputTokens, outputTokens: 0 }, base, call);
    }
    case 'POST /images/generations': {
      const behavior = { ...parseBehavior(String(body.prompt)), ...base };
      if (await misbehaves(res, behavior, call)) return;
      return playBody(
        res,
        imagesBody(body, identity.createdAtSeconds),
        { inputTokens: 0, outputTokens: 0 },
        behavior,
        call,
      );
    }
    case 'POST /audio/speech': {
      const behavior = { ...parseBehavior(String(body.input)), ...base };
      if (await misbehaves(res, behavior, call)) return;
      if (body.stream_format === 'sse') {
        return playFrames(res, speechFrames(body), [...body.input].length, behavior, call);
      }
      return playSpeech(res, body, behavior, call);
    }
    case 'POST /audio/transcriptions':
    case 'POST /audio/translations': {
      const behavior = { ...parseBehavior(String(body.prompt ?? '')), ...base };
      if (await misbehaves(res, behavior, call)) return;
      if (body.stream === 'true') {
        const { seconds } = transcriptBody(body, 'transcribe');
        return playFrames(res, transcriptFrames(body), 10 * seconds, behavior, call);
      }
      const transcript = transcriptBody(body, endpoint.endsWith('translations') ? 'translate' : 'transcribe');
      return playBody(res, transcript.body, { inputTokens: transcript.seconds, outputTokens: 0 }, behavior, call);
    }
    default:
      refuseCall(res, 404, {}, call);
  }
}

async function answerModelCall(
  { endpoint, res, call, identity, base }: Turn,
  request: AnswerRequest,
  makeBody: (plan: ReturnType<typeof planAnswer>, identity: CallIdentity) => object,
  makeFrames: (plan: ReturnType<typeof planAnswer>) => Iterable<{ text: string; tokens: number }>,
): Promise<void> {
  const behavior = { ...parseBehavior(lastUserText(request)), ...base };
  if (await misbehaves(res, behavior, call, pickErrorBody(endpoint))) return;
  const plan = planAnswer(request, behavior);
  if (request.stream) return playFrames(res, makeFrames(plan), plan.inputTokens, behavior, call);
  return playBody(res, makeBody(plan, identity), plan, behavior, call);
}

/** Refuses, or sends nothing, before the first byte, if requested. */
async function misbehaves(
  res: ServerResponse,
  behavior: Behavior,
  call: CallRecorder,
  makeError: MakeError = errorBody,
): Promise<boolean> {
  if (behavior.status !== undefined) {
    refuseCall(res, behavior.status, behavior, call, makeError);
    return true;
  }
  if (behavior.hang !== 'before_headers') return false;
  await watchForGone(res).promise;
  call.ended('client_gone');
  return true;
}

type MakeError = (status: number, message?: string) => object;

/** Each wire format has its own error format. */
function pickErrorBody(endpoint: string): MakeError {
  if (endpoint === 'POST /messages') return messagesErrorBody;
  return generateTarget(endpoint) ? generateErrorBody : errorBody;
}

function refuseCall(
  res: ServerResponse,
  status: number,
  behavior: Behavior,
  call: CallRecorder,
  makeError: MakeError = errorBody,
): void {
  call.answered(status, 0);
  refuse(res, status, behavior, undefined, makeError);
  call.ended('refused');
}

function refuse(
  res: ServerResponse,
  status: number,
  { retryAfterSeconds }: Behavior,
  message?: string,
  makeError: MakeError = errorBody,
): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (retryAfterSeconds !== undefined) res.setHeader('retry-after', String(retryAfterSeconds));
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(makeError(status, message)));
}

function sendJson(res: ServerResponse, body: object): void {
  res.writeHead(200, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}

/** The credential, where each vendor's library puts it. */
function readKey(headers: IncomingHttpHeaders): unknown {
  return headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
}

/** Method and path without the version segment and the query. */
function toEndpoint(req: IncomingMessage): string {
  const path = (req.url ?? '/').split('?')[0] ?? '/';
  return `${req.method} ${path.replace(/^\/v1(?=\/)/, '')}`;
}

// biome-ignore lint/suspicious/noExplicitAny: each endpoint's reader gives it a type
async function readBody(req: IncomingMessage): Promise<any> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const type = req.headers['content-type'] ?? '';
  return type.startsWith('multipart/') ? readFormBody(type, bytes) : JSON.parse(bytes.toString('utf8'));
}
