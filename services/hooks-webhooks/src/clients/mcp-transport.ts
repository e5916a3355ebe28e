import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { JSON_OR_STREAM, noResult, readAnswer } from './mcp-answer.js';
import { type Exchange, type ExchangeAnswer, McpRequestError } from './mcp-exchange.js';
import { toAnswer } from './mcp-messages.js';

/** Requests and notifications of one session: the pages of a listing, and what surrounds them. */
const REQUESTS_MAX = 208;
/** Answers to requests of the server. It may ask every few seconds whether the client is there. */
const REPLIES_MAX = 50;
/** How often the stream of one answer is resumed. */
const RESUMES_MAX = 10;
/** The pause before that, if the server names none. */
const RETRY_MS = 1_000;
/** The characters that the protocol allows. */
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;
/** What fits into a header. */
const EVENT_ID = /^[\x20-\x7e]{1,1024}$/;

/** A position in the stream of an answer. */
interface Position {
  id: string | undefined;
  retryMs: number;
}

/**
 * One session over streamable HTTP, before version 2026-07-28. An answer is read as it arrives: requests that the server makes in
 * the meantime are answered, and the session continues as soon as the answer is there, also when the server leaves its stream
 * open. A stream that ends or breaks before is resumed after its last event. Opens no stream for other messages of the server.
 * `send` rejects with `McpRequestError` when a request gets no answer.
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

  /** The version that was agreed upon. */
  get version(): string | undefined {
    return this.#version;
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
    const answer = await this.#post(message);
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

  #request({ headers, ...request }: Parameters<Exchange>[0]): Promise<ExchangeAnswer> {
    const session = {
      ...(this.#sessionId !== undefined && { 'mcp-session-id': this.#sessionId }),
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
    };
    return this.#exchange({ ...request, headers: { ...headers, ...session } }, this.#closing.signal);
  }

  async #post(message: JSONRPCMessage): Promise<ExchangeAnswer> {
    try {
      return await this.#request({ method: 'POST', headers: JSON_OR_STREAM, body: JSON.stringify(message) });
    } catch (error) {
      if (error instanceof McpRequestError && error.status === 404 && this.#sessionId !== undefined) {
        this.#isSessionLost = true;
        this.#sessionId = undefined;
      }
      throw error;
    }
  }

  /** Passes messages on until the answer to the request is among them. */
  async #awaitAnswer(request: JSONRPCMessage, first: ExchangeAnswer): Promise<void> {
    const position: Position = { id: undefined, retryMs: RETRY_MS };
    let isAnswered = await this.#read(request, first, position);
    for (let resumes = 0; !isAnswered; resumes += 1) {
      if (position.id === undefined || resumes === RESUMES_MAX) throw noResult();
      await sleep(position.retryMs, undefined, { signal: this.#closing.signal });
      const resumed = await this.#resume(position.id);
      if (!resumed) continue;
      try {
        isAnswered = await this.#read(request, resumed, position);
      } finally {
        await resumed.dispose();
      }
    }
  }

  /** Returns false when the stream has ended or broken after an event that it can be resumed after. */
  async #read(request: JSONRPCMessage, stream: ExchangeAnswer, position: Position): Promise<boolean> {
    try {
      for await (const { messages, id, retryMs } of readAnswer(stream)) {
        if (id !== undefined) position.id = EVENT_ID.test(id) ? id : undefined;
        position.retryMs = retryMs ?? position.retryMs;
        for (const message of messages) {
          const answer = toAnswer(request, message);
          this.onmessage?.(answer ?? message);
          if (answer) return true;
        }
      }
      return false;
    } catch (error) {
      if (position.id !== undefined && isBroken(error)) return false;
      throw error;
    }
  }

  /** Returns undefined if another attempt may succeed. */
  async #resume(lastEventId: string): Promise<ExchangeAnswer | undefined> {
    try {
      return await this.#request({
        method: 'GET',
        headers: { accept: 'text/event-stream', 'last-event-id': lastEventId },
      });
    } catch (error) {
      if (isBroken(error) || (error instanceof McpRequestError && (error.status ?? 0) >= 500)) return undefined;
      throw error instanceof McpRequestError && error.status !== undefined ? noResult() : error;
    }
  }
}

function isBroken(error: unknown): boolean {
  return error instanceof McpRequestError && (error.reason === 'protocol' || error.reason === 'connect');
}

function readSessionId(sent: string): string {
  if (SESSION_ID.test(sent)) return sent;
  throw new McpRequestError('the id of the session is not valid', 'protocol');
}
