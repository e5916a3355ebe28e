import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { AppError } from '@tollgate/errors';
import type { GeneratedImage, ImageAnswer, ImageCall, ImageProvider } from '../contract/image-provider.js';
import { readScript, scriptedFailure, wait } from './script.js';

const SIDE_PIXELS = 64;
const SIDE_PIXELS_MAX = 1024;
/** The image is a grid of this many cells, mirrored left to right. */
const CELLS = 8;

/** Generates small images that depend only on the prompt, the images to edit, the size and their number. */
export class SandboxImages implements ImageProvider {
  readonly id = 'sandbox';

  async generateImages(call: ImageCall): Promise<ImageAnswer> {
    const script = readScript(call.prompt);
    const [width, height] = readSize(call.size);
    await wait(script.waitMs, call.signal);
    const failure = scriptedFailure(script, call.requestId);
    if (failure) throw failure;
    const drawn = call.edited ? `${call.prompt}\n${digest(call.edited)}` : call.prompt;
    const images = Array.from({ length: call.n }, (_, index) => drawImage(drawn, index, width, height));
    return { images, tokens: undefined, providerRequestId: `sandbox-${call.requestId}` };
  }
}

function digest({ sources, mask }: NonNullable<ImageCall['edited']>): string {
  const hash = createHash('sha256');
  for (const { bytes } of mask ? [...sources, mask] : sources) hash.update(bytes);
  return hash.digest('hex');
}

function drawImage(prompt: string, index: number, width: number, height: number): GeneratedImage {
  const seed = createHash('sha256').update(`${index}\n${prompt}`).digest();
  const back = seed.readUIntBE(0, 3) | 0x808080;
  const front = seed.readUIntBE(3, 3) & 0x7f7f7f;
  const bytes = encodePng(width, height, (x, y) => {
    const column = Math.floor((x * CELLS) / width);
    const row = Math.floor((y * CELLS) / height);
    const mirrored = Math.min(column, CELLS - 1 - column);
    const bit = row * (CELLS / 2) + mirrored;
    return (seed[8 + (bit >> 3)]! >> (bit & 7)) & 1 ? front : back;
  });
  return { bytes, mimeType: 'image/png' };
}

function readSize(size: string | undefined): [width: number, height: number] {
  if (size === undefined) return [SIDE_PIXELS, SIDE_PIXELS];
  const match = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(size);
  const [width, height] = [Number(match?.[1]), Number(match?.[2])];
  if (width <= SIDE_PIXELS_MAX && height <= SIDE_PIXELS_MAX) return [width, height];
  throw new AppError('VALIDATION_ERROR', `size must be WIDTHxHEIGHT, at most ${SIDE_PIXELS_MAX} each`);
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOR_TYPE_RGB = 2;

/** Encodes a PNG of 8-bit RGB pixels; `pixelAt` returns each as 0xRRGGBB. */
export function encodePng(width: number, height: number, pixelAt: (x: number, y: number) => number): Buffer {
  const stride = 1 + width * 3;
  const raw = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) raw.writeUIntBE(pixelAt(x, y) & 0xffffff, y * stride + 1 + x * 3, 3);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = COLOR_TYPE_RGB;
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', deflateSync(raw)), chunk('IEND')]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
