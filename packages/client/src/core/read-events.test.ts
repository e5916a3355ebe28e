import { describe, expect, it } from '@jest/globals';
import { readEvents } from './read-events.js';

async function readAll(type: string, ...pieces: (string | Uint8Array)[]): Promise<unknown[]> {
  const encoder = new TextEncoder();
  const next = async () => {
    const piece = pieces.shift();
    return typeof piece === 'string' ? encoder.encode(piece) : piece;
  };
  const events: unknown[] = [];
  for await (const event of readEvents({ next, headers: new Headers({ 'content-type': type }) })) events.push(event);
  return events;
}

const NDJSON = 'application/x-ndjson; profile="responses-stream/v2"';
const SSE = 'text/event-stream; charset=utf-8';

describe('readEvents', () => {
  it('joins lines that arrive in pieces, and skips blank lines and keepalives', async () => {
    const pieces = ['{"a":', '1}\n\n{"b":2}\n{"type":"keepalive"}\n', '{"c":3}\n'];
    expect(await readAll(NDJSON, ...pieces)).toEqual([{ a: 1 }, { b: 2 }, { c: 3 }]);
  });

  it('decodes a character whose bytes arrive apart', async () => {
    const bytes = new TextEncoder().encode('{"a":"ü"}\n');
    expect(await readAll(NDJSON, bytes.slice(0, 7), bytes.slice(7))).toEqual([{ a: 'ü' }]);
  });

  it('reads server-sent events up to [DONE]', async () => {
    const pieces = [
      ': keepalive\n\nevent: x\nda',
      'ta: {"a":1}\n\ndata: {"b":\ndata: 2}\n\n',
      'data: [DONE]\n\ndata: {"c":3}\n\n',
    ];
    expect(await readAll(SSE, ...pieces)).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it.each([NDJSON, SSE])('throws the error that ends a broken stream: %s', async (type) => {
    const event =
      '{"type":"error","code":"PROVIDER_ERROR","message":"m","status":500,"retryable":true,"request_id":"r"}';
    const text = type === SSE ? `data: ${event}\n\n` : `${event}\n`;
    await expect(readAll(type, text)).rejects.toMatchObject({
      code: 'PROVIDER_ERROR',
      retryable: true,
      requestId: 'r',
    });
  });

  it('throws a retryable error for a stream that ends inside an event', async () => {
    await expect(readAll(NDJSON, '{"a":1}\n{"b"')).rejects.toMatchObject({ code: 'CONNECTION_ERROR', retryable: true });
  });

  it('throws for an event that is not JSON', async () => {
    await expect(readAll(NDJSON, 'hello\n{}\n')).rejects.toMatchObject({ code: 'INVALID_ANSWER' });
  });
});
