// OpenAI's unmodified realtime client, and what a test reads of its session.
import { connect } from 'node:net';
import { waitUntil } from '@tollgate/testkit';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import type { System } from './start-system.js';

// biome-ignore lint/suspicious/noExplicitAny: tests look inside
type Event = any;

export interface RealtimeTestClient {
  socket: OpenAIRealtimeWS;
  /** Every event so far. */
  events: Event[];
  /** Set when the socket is closed. */
  closed: { code: number; reason: string } | undefined;
  send(event: object): void;
  /** Resolves with the first event of this type, at or after the position in `events`. */
  next(type: string, from?: number): Promise<Event>;
  say(text: string): void;
  /** Sends an item, asks for a response, and resolves with `response.done`. */
  ask(text: string, response?: object): Promise<Event>;
  waitClosed(): Promise<{ code: number; reason: string }>;
  close(): void;
}

export interface RealtimeClientOptions {
  model?: string;
  headers?: Record<string, string>;
  /** Base URL of an edge. */
  at?: string;
}

export const REALTIME_MODEL = 'gpt-realtime-1.5';

/** The library always speaks TLS; the test's edge does not, so the connection is a plain one. */
export function openRealtime(
  system: System,
  apiKey: string,
  { model = REALTIME_MODEL, headers = {}, at = system.stack.httpUrl }: RealtimeClientOptions = {},
): RealtimeTestClient {
  const { hostname, port } = new URL(at);
  const client = new OpenAI({ apiKey, baseURL: `${at}/v1` });
  const plain = () => connect(Number(port), hostname);
  const socket = new OpenAIRealtimeWS({ model, options: { headers, createConnection: plain as never } }, client);
  const events: Event[] = [];
  const self: RealtimeTestClient = {
    socket,
    events,
    closed: undefined,
    send: (event) => socket.send(event as never),
    async next(type, from = 0) {
      const find = () => events.slice(from).find((event) => event.type === type);
      await waitUntil(() => find() !== undefined || self.closed !== undefined, { what: `the event ${type}` });
      const found = find();
      if (!found)
        throw new Error(`closed before ${type}: ${JSON.stringify(self.closed)} ${JSON.stringify(events.at(-1))}`);
      return found;
    },
    say(text) {
      const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
      self.send({ type: 'conversation.item.create', item });
    },
    async ask(text, response) {
      const from = events.length;
      self.say(text);
      self.send({ type: 'response.create', ...(response && { response }) });
      return (await self.next('response.done', from)).response;
    },
    async waitClosed() {
      await waitUntil(() => self.closed !== undefined, { what: 'the socket to be closed' });
      return self.closed!;
    },
    close: () => socket.close(),
  };
  socket.on('event', (event) => void events.push(event));
  socket.on('error', () => undefined);
  socket.socket.on('close', (code, reason) => {
    self.closed = { code, reason: String(reason) };
  });
  return self;
}

/** Speech of 24,000 samples a second, with silence after it, in base64. */
export function speech(speechMs: number, silenceMs: number): string {
  const bytesPerMs = 48;
  return Buffer.concat([Buffer.alloc(speechMs * bytesPerMs, 1), Buffer.alloc(silenceMs * bytesPerMs)]).toString(
    'base64',
  );
}
