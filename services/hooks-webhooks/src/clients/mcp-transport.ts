import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { readEvents } from './event-stream.js';
import { type Exchange, type ExchangeAnswer, McpRequestError } from './mcp-exchange.js';
import { parseMessages, toAnswer } from './mcp-messages.js';

/** Requests and notifications of one session: the pages of a listing, and what surrounds them. */
const REQUESTS_MAX = 208;
/** Answers to requests of the server. It may ask every few seconds whether the client is there. */
const REPLIES_MAX = 50;
/** The characters that the protocol allows. */
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;

/**
 * One session over streamable HTTP. An answer is read as it arrives: requests that the server makes in the meantime are
 * answered, and the session continues as soon as the answer is there, also when the server leaves its stream open. Opens no stream
 * of its own for messages of the server, and resumes none. `send` rejects with `McpRequestError` when a request gets no answer.
 */
export class McpTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly #exchange: Exchange;
  readonly #closing = new AbortController();
  #sessionId: string | undefined;
  #version: string | undefined;
  #isSessionLost = false;
  #requests = 0;
  #replies = 0;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** Whether the server no longer knows the session that it opened. It has not acted on the request that it refused. */
  get isSessionLost(): boolean {
    return this.#isSessionLost;
  }

  async start(): Promise<void> {}

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message) this.#requests += 1;
    else this.#replies += 1;
    if (this.#requests > REQUESTS_MAX || this.#replies > REPLIES_MAX) {
      throw new McpRequestError('the server needs too many requests for one call', 'too_large');
    }
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const answer = await this.#request({ method: 'POST', headers, body: JSON.stringify(message) });
    try {
      if (answer.sessionId !== undefined) this.#sessionId = readSessionId(answer.sessionId);
      if ('method' in message && 'id' in message) await this.#awaitAnswer(message, answer);
    } finally {
      await answer.dispose();
    }
  }

  /** Ends the session at the server, which may not support that. */
  async end(): Promise<void> {
    if (this.#sessionId === undefined) return;
    const answer = await this.#request({ method: 'DELETE', headers: {} });
    await answer.dispose();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.onclose?.();
  }

  async #request({ headers, ...request }: Parameters<Exchange>[0]): Promise<ExchangeAnswer> {
    const session = {
      ...(this.#sessionId !== undefined && { 'mcp-session-id': this.#sessionId }),
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
    };
    try {
      return await this.#exchange({ ...request, headers: { ...headers, ...session } }, this.#closing.signal);
    } catch (error) {
      if (error instanceof McpRequestError && error.status === 404 && this.#sessionId !== undefined) {
        this.#isSessionLost = true;
        this.#sessionId = undefined;
      }
      throw error;
    }
  }

  /** Passes messages on until the answer to the request is among them. */
  async #awaitAnswer(request: JSONRPCMessage, { mediaType, body }: ExchangeAnswer): Promise<void> {
    if (mediaType !== 'application/json' && mediaType !== 'text/event-stream') {
      throw new McpRequestError('the answer is neither JSON nor a stream of events', 'protocol');
    }
    const texts = mediaType === 'application/json' ? readWhole(body) : readEvents(body);
    for await (const text of texts) {
      for (const message of parseMessages(text) ?? []) {
        const answer = toAnswer(request, message);
        this.onmessage?.(answer ?? message);
        if (answer) return;
      }
    }
    throw new McpRequestError('the server ended its answer without a result', 'protocol');
  }
}

async function* readWhole(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  yield Buffer.concat(chunks).toString();
}

function readSessionId(sent: string): string {
  if (SESSION_ID.test(sent)) return sent;
  throw new McpRequestError('the id of the session is not valid', 'protocol');
}
