import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { planAnswer } from './answer-plan.js';
import { chatBody, chatFrames, readChatRequest } from './chat-completions.js';

/** A provider for benchmarks: answers every request at once with prepared bytes. */
export interface InstantProvider {
  readonly baseUrl: string;
  /** Requests answered so far. */
  answered(): number;
  stop(): Promise<void>;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const WANTS_STREAM = Buffer.from('"stream":true');
const TOKENS = 80;
const HEAD_MAX_BYTES = 65_536;

/**
 * Implements only the HTTP/1.1 that a client with busy connections needs (content-length bodies, keep-alive,
 * pipelining): no parsing of the body, no journal, one write per answer. The answer is a chat completion of 80 tokens,
 * plain or streamed in one burst with its usage.
 */
export async function startInstantProvider({ port = 0 }: { port?: number } = {}): Promise<InstantProvider> {
  const answers = { plain: plainAnswer(), stream: streamAnswer() };
  const sockets = new Set<Socket>();
  let answered = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let rest: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      for (;;) {
        const body = takeRequest(rest);
        if (!body) break;
        rest = rest.subarray(body.end);
        answered++;
        socket.write(body.bytes.includes(WANTS_STREAM) ? answers.stream : answers.plain);
      }
      if (rest.length > HEAD_MAX_BYTES && !rest.includes(HEAD_END)) socket.destroy();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    answered: () => answered,
    stop: () => stop(server, sockets),
  };
}

/** The body of the first whole request in the buffer, and where that request ends. */
function takeRequest(buffer: Buffer): { bytes: Buffer; end: number } | undefined {
  const headEnd = buffer.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = buffer.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head);
  const start = headEnd + HEAD_END.length;
  const end = start + Number(length?.[1] ?? 0);
  return buffer.length < end ? undefined : { bytes: buffer.subarray(start, end), end };
}

const fixedRequest = readChatRequest({
  model: 'instant',
  messages: [{ role: 'user', content: 'hello' }],
  stream: true,
  stream_options: { include_usage: true },
});
const fixedCall = { number: 1, model: 'instant', createdAtSeconds: 1_700_000_000 };

function plainAnswer(): Buffer {
  const body = JSON.stringify(chatBody(planAnswer(fixedRequest, { tokens: TOKENS }), fixedCall));
  return response('application/json', body);
}

function streamAnswer(): Buffer {
  const frames = [...chatFrames(planAnswer(fixedRequest, { tokens: TOKENS }), fixedRequest, fixedCall)];
  return response('text/event-stream', frames.map((frame) => frame.text).join(''));
}

function response(contentType: string, body: string): Buffer {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${contentType}\r\nx-request-id: req_instant\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.from(head + body);
}

async function stop(server: Server, sockets: Set<Socket>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const socket of sockets) socket.destroy();
  await closed;
}
