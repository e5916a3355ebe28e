import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { parseJson, parseJsonObject, readBody } from './json-body.js';

function requestOf(chunks: (string | Buffer)[], headers: Record<string, string> = {}): IncomingMessage {
  return Object.assign(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), {
    headers,
  }) as unknown as IncomingMessage;
}

describe('readBody', () => {
  it('joins chunks', async () => {
    expect((await readBody(requestOf(['{"a"', ':1}']))).toString()).toBe('{"a":1}');
  });

  it('accepts exactly the limit and refuses one byte more', async () => {
    expect(await readBody(requestOf(['12345', '67890']), 10)).toHaveLength(10);
    await expect(readBody(requestOf(['12345', '678901']), 10)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  it('swallows a body that is a little too large before refusing, so that the client can read the answer', async () => {
    const req = requestOf(['x'.repeat(11), 'y'.repeat(5)]);
    await expect(readBody(req, 10)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(req.readableEnded).toBe(true);
  });

  it('refuses by the declared length without reading, and by what arrives without a declared length', async () => {
    await expect(readBody(requestOf([], { 'content-length': '21' }), 10)).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
    const endless = requestOf(Array(100).fill('x'.repeat(5)));
    await expect(readBody(endless, 10)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  it('refuses what it cannot decode and what ends early', async () => {
    await expect(readBody(requestOf(['x'], { 'content-encoding': 'gzip' }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    const cut = requestOf(['abc']);
    const reading = readBody(cut);
    cut.destroy();
    await expect(reading).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('parseJson', () => {
  it.each(['', '{', '{"a":}', 'undefined', '{"a":1}x', '\u0000'])('refuses %j', (text) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });

  it('refuses broken UTF-8', () => {
    expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });

  it('refuses more than 200 levels', () => {
    expect(parseJson(Buffer.from('['.repeat(200) + ']'.repeat(200)))).toBeInstanceOf(Array);
    expect(() => parseJson(Buffer.from('['.repeat(201) + ']'.repeat(201)))).toThrow(/200 levels/);
  });
});

describe('parseJsonObject', () => {
  it.each(['[]', 'null', '1', '"text"', 'true'])('refuses %s', (text) => {
    expect(() => parseJsonObject(Buffer.from(text))).toThrow(/must be a JSON object/);
  });
});
