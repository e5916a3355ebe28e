import { describe, expect, it } from '@jest/globals';
import { readEvents } from './event-stream.js';

async function read(text: string, chunkBytes: number): Promise<string[]> {
  const bytes = new TextEncoder().encode(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const events: string[] = [];
  for await (const event of readEvents(chunks())) events.push(event);
  return events;
}

describe('readEvents', () => {
  it.each<[string, string, string[]]>([
    ['several events', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['data of several lines, with and without a space', 'data: a\ndata:b\n\n', ['a\nb']],
    ['other fields and comments', ': keep-alive\nid: 1\nevent: message\nretry: 5\ndata: ä\n\n', ['ä']],
    ['events without data', 'id: 1\ndata\n\n: x\n\ndata: a\n\n', ['a']],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['a last event without an empty line', 'data: a', ['a']],
    ['a byte order mark', '\ufeffdata: a\n\n', ['a']],
  ])('reads %s, however the bytes are cut', async (_name, text, events) => {
    for (const chunkBytes of [1, 2, 3, 1_000]) expect(await read(text, chunkBytes)).toEqual(events);
  });

  it('gives an event before the next bytes arrive', async () => {
    async function* chunks() {
      yield new TextEncoder().encode('data: a\r\r');
      await new Promise(() => {});
    }
    expect(await readEvents(chunks()).next()).toEqual({ done: false, value: 'a' });
  });
});
