import { describe, expect, it } from '@jest/globals';
import { readEvents, type StreamEvent } from './event-stream.js';

async function read(text: string, chunkBytes: number): Promise<StreamEvent[]> {
  const bytes = new TextEncoder().encode(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const events: StreamEvent[] = [];
  for await (const event of readEvents(chunks())) events.push(event);
  return events;
}

describe('readEvents', () => {
  it.each<[string, string, (string | undefined)[]]>([
    ['several events', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['data of several lines, with and without a space', 'data: a\ndata:b\n\n', ['a\nb']],
    ['other fields and comments', ': keep-alive\nid: 1\nevent: message\nretry: 5\ndata: ä\n\n', ['ä']],
    ['events without data', 'id: 1\ndata\n\n: x\n\ndata: a\n\n', [undefined, 'a']],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['a last event without an empty line', 'data: a', ['a']],
    ['a byte order mark', '\ufeffdata: a\n\n', ['a']],
  ])('reads %s, however the bytes are cut', async (_name, text, events) => {
    for (const chunkBytes of [1, 2, 3, 1_000]) {
      expect((await read(text, chunkBytes)).map(({ data }) => data)).toEqual(events);
    }
  });

  it('reads the position of each event and the pause before the stream is resumed', async () => {
    const text = 'id: 1\nretry: 250\ndata: \n\ndata: a\n\nid:\nretry: soon\ndata: b\n\nid: x\n\n';
    expect(await read(text, 3)).toEqual([
      { data: '', id: '1', retryMs: 250 },
      { data: 'a' },
      { data: 'b', id: '' },
      { id: 'x' },
    ]);
  });

  it('gives an event before the next bytes arrive', async () => {
    async function* chunks() {
      yield new TextEncoder().encode('data: a\r\r');
      await new Promise(() => {});
    }
    expect(await readEvents(chunks()).next()).toEqual({ done: false, value: { data: 'a' } });
  });
});
