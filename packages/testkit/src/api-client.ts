import { createParser } from 'eventsource-parser';
import { Agent, type Dispatcher } from 'undici';

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely; their assertions are the check
export type Json = any;

/** A whole answer. `body` is the parsed JSON, undefined when the answer is not JSON. */
export interface ApiResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  requestId: string | undefined;
  text: string;
  body: Json;
}

/** An answer that is read as it arrives. Leaving the loop aborts the request, like a client that disconnects. */
export interface ApiStream<Item> extends AsyncIterable<Item> {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Disconnects. */
  abort(): void;
  /** Reads to the end. */
  all(): Promise<Item[]>;
}

/** One server-sent event; `data` parsed when it is JSON (else the text, such as `[DONE]`). */
export interface SseEvent {
  id?: string;
  event?: string;
  data: Json;
}

/** The caller's credential: a bearer token or key, or any headers. */
export type ApiCredential = string | Record<string, string> | undefined;

type Headers = Record<string, string>;

/** A client of the public API for system tests: throws for transport failures only, never for a status. */
export interface ApiClient {
  readonly baseUrl: string;
  get(path: string, headers?: Headers): Promise<ApiResponse>;
  post(path: string, body?: unknown, headers?: Headers): Promise<ApiResponse>;
  put(path: string, body?: unknown, headers?: Headers): Promise<ApiResponse>;
  patch(path: string, body?: unknown, headers?: Headers): Promise<ApiResponse>;
  delete(path: string, headers?: Headers): Promise<ApiResponse>;
  /** Any method; a string or bytes as body are sent as they are. */
  send(method: string, path: string, body?: unknown, headers?: Headers): Promise<ApiResponse>;
  /** POST when a body is given, else GET. Each item is one parsed line; blank keep-alive lines are skipped. */
  ndjson(path: string, body?: unknown, headers?: Headers): Promise<ApiStream<Json>>;
  sse(path: string, body?: unknown, headers?: Headers): Promise<ApiStream<SseEvent>>;
  /** The same API with another credential. */
  as(credential: ApiCredential): ApiClient;
  /** The same host with another base, for example the compatible endpoints under `/v1`. */
  at(path: string): ApiClient;
  close(): Promise<void>;
}

/** @param baseUrl for example `http://127.0.0.1:8080/api/v1`; paths are appended to it. */
export function apiClient(baseUrl: string, credential?: ApiCredential): ApiClient {
  // Idle connections end before an edge that stops would close them (HTTP_IDLE_GRACE), as behind a load balancer.
  const options = { headersTimeout: 60_000, bodyTimeout: 60_000, keepAliveMaxTimeout: 2_000 };
  return clientOn(new Agent(options), baseUrl, credential);
}

const NDJSON = 'application/x-ndjson; profile="responses-stream/v2"';

function clientOn(dispatcher: Agent, baseUrl: string, credential: ApiCredential): ApiClient {
  const send = async (method: string, path: string, body?: unknown, headers?: Headers): Promise<ApiResponse> => {
    const response = await open(method, path, body, headers);
    const text = await response.body.text();
    const requestId = response.headers['x-service-request-id'];
    return {
      status: response.statusCode,
      headers: response.headers,
      requestId: Array.isArray(requestId) ? requestId[0] : requestId,
      text,
      body: parseOr(text, undefined),
    };
  };
  const open = (method: string, path: string, body: unknown, headers: Headers = {}, signal?: AbortSignal) => {
    const { origin, pathname, search } = new URL(`${baseUrl}${path}`);
    return dispatcher.request({
      origin,
      path: `${pathname}${search}`,
      method: method as Dispatcher.HttpMethod,
      signal,
      headers: { ...jsonHeaders(body), ...credentialHeaders(credential), ...lowerCased(headers) },
      body: encodeBody(body),
    });
  };
  const stream = async <Item>(
    accept: string,
    parse: (text: AsyncIterable<string>) => AsyncGenerator<Item>,
    [path, body, headers]: [string, unknown?, Headers?],
  ) => {
    const controller = new AbortController();
    const method = body === undefined ? 'GET' : 'POST';
    const response = await open(method, path, body, { accept, ...headers }, controller.signal);
    return toStream(response, controller, parse);
  };
  return {
    baseUrl,
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
    ndjson: (...call) => stream(NDJSON, readNdjson, call),
    sse: (...call) => stream('text/event-stream', readSse, call),
    as: (other) => clientOn(dispatcher, baseUrl, other),
    at: (path) => clientOn(dispatcher, new URL(path, baseUrl).href.replace(/\/$/, ''), credential),
    close: () => dispatcher.destroy(),
  };
}

function toStream<Item>(
  response: Dispatcher.ResponseData,
  controller: AbortController,
  parse: (text: AsyncIterable<string>) => AsyncGenerator<Item>,
): ApiStream<Item> {
  async function* items() {
    try {
      yield* parse(decoded(response.body));
    } finally {
      controller.abort();
    }
  }
  return {
    status: response.statusCode,
    headers: response.headers,
    abort: () => controller.abort(),
    all: async () => {
      const collected: Item[] = [];
      for await (const item of items()) collected.push(item);
      return collected;
    },
    [Symbol.asyncIterator]: items,
  };
}

async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
}

async function* readNdjson(text: AsyncIterable<string>): AsyncGenerator<Json> {
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line);
  }
  if (rest.trim() !== '') yield JSON.parse(rest);
}

async function* readSse(text: AsyncIterable<string>): AsyncGenerator<SseEvent> {
  const events: SseEvent[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      events.push({
        ...(id === undefined ? {} : { id }),
        ...(event === undefined ? {} : { event }),
        data: parseOr(data, data),
      });
    },
  });
  for await (const chunk of text) {
    parser.feed(chunk);
    yield* events.splice(0);
  }
}

function credentialHeaders(credential: ApiCredential): Headers {
  if (credential === undefined) return {};
  return typeof credential === 'string' ? { authorization: `Bearer ${credential}` } : lowerCased(credential);
}

function jsonHeaders(body: unknown): Headers {
  return body === undefined ? {} : { 'content-type': 'application/json' };
}

function lowerCased(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function encodeBody(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body;
  return JSON.stringify(body);
}

function parseOr(text: string, fallback: unknown): Json {
  try {
    return JSON.parse(text);
  } catch {
    return fallback;
  }
}
