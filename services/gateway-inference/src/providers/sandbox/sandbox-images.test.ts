import { inflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { ImageCall } from '../contract/image-provider.js';
import { SandboxImages } from './sandbox-images.js';

const images = new SandboxImages();

function call(prompt: string, more: Partial<ImageCall> = {}): ImageCall {
  const { signal } = new AbortController();
  return { requestId: 'r1', accountId: 'a', holdId: 'r1', upstreamModel: 'image-1', prompt, n: 1, signal, ...more };
}

/** Width, height and raw bytes of a PNG whose chunks are consistent. */
function decodePng(bytes: Uint8Array): { width: number; height: number; raw: Buffer } {
  const png = Buffer.from(bytes);
  expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
  const data: Buffer[] = [];
  const types: string[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    types.push(png.toString('latin1', at + 4, at + 8));
    if (types.at(-1) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  expect(types).toEqual(['IHDR', 'IDAT', 'IEND']);
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20), raw: inflateSync(Buffer.concat(data)) };
}

describe('images of the sandbox', () => {
  it('returns PNGs of the requested size', async () => {
    const plain = await images.generateImages(call('a cat'));
    expect(decodePng(plain.images[0]!.bytes)).toMatchObject({ width: 64, height: 64 });
    const sized = await images.generateImages(call('a cat', { size: '120x30' }));
    const { width, height, raw } = decodePng(sized.images[0]!.bytes);
    expect([width, height, raw.length]).toEqual([120, 30, 30 * (1 + 120 * 3)]);
    expect(sized.images[0]!.mimeType).toBe('image/png');
  });

  it('returns equal images for equal prompts, and different ones within one answer', async () => {
    const [first, second] = [
      await images.generateImages(call('a cat', { n: 3 })),
      await images.generateImages(call('a cat', { n: 3 })),
    ];
    expect(first).toEqual(second);
    expect(new Set(first.images.map(({ bytes }) => Buffer.from(bytes).toString('hex'))).size).toBe(3);
    const other = await images.generateImages(call('a dog'));
    expect(other.images[0]!.bytes).not.toEqual(first.images[0]!.bytes);
  });

  it.each([
    ['fail with 429', { kind: 'response', status: 429 }],
    ['fail with 402', { kind: 'payment', status: 402 }],
    ['fail with timeout', { kind: 'timeout' }],
    ['fail with cut', { kind: 'transport' }],
  ])('fails as the prompt %j says', async (prompt, expected) => {
    await expect(images.generateImages(call(prompt))).rejects.toMatchObject(expected);
  });

  it('generates none for a caller that has left, or in an impossible size', async () => {
    const leaving = new AbortController();
    const waiting = images.generateImages(call('wait 60000 ms', { signal: leaving.signal }));
    leaving.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    await expect(images.generateImages(call('a cat', { size: '9999x1' }))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});
