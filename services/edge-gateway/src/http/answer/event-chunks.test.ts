import { describe, expect, it } from '@jest/globals';
import { eventChunks } from './event-chunks.js';

async function* events() {
  yield { json: '{"seq":1}', id: '1' };
  yield { json: Buffer.from('{"seq":2}') };
}

async function collect(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

describe('eventChunks', () => {
  it('frames lines, and SSE with ids', async () => {
    expect(await collect(eventChunks(events(), 'ndjson'))).toBe('{"seq":1}\n{"seq":2}\n');
    expect(await collect(eventChunks(events(), 'sse'))).toBe('id: 1\ndata: {"seq":1}\n\ndata: {"seq":2}\n\n');
  });

  it.each([
    ['ndjson', '\n'],
    ['sse', ': keepalive\n\n'],
  ] as const)('breaks silence in %s without losing the event it waits for', async (format, sign) => {
    let release: () => void = () => undefined;
    const silence = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* late() {
      await silence;
      yield { json: '1' };
    }
    const chunks: string[] = [];
    for await (const chunk of eventChunks(late(), format, 5)) {
      chunks.push(chunk);
      if (chunk === sign) release();
    }
    expect(chunks[0]).toBe(sign);
    expect(chunks.filter((chunk) => chunk !== sign)).toEqual([format === 'sse' ? 'data: 1\n\n' : '1\n']);
  });

  it('returns its source when the reader leaves', async () => {
    let isReturned = false;
    async function* endless() {
      try {
        for (;;) yield { json: '1' };
      } finally {
        isReturned = true;
      }
    }
    for await (const _chunk of eventChunks(endless(), 'ndjson')) break;
    expect(isReturned).toBe(true);
  });
});
