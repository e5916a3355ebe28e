import type { GeneratedImage } from '../contract/image-provider.js';

/** First bytes of the image formats that vendors generate. */
const signatures: readonly (readonly [mimeType: string, matches: (bytes: Buffer) => boolean])[] = [
  ['image/png', (bytes) => bytes.readUInt32BE(0) === 0x89504e47],
  ['image/jpeg', (bytes) => bytes.readUIntBE(0, 3) === 0xffd8ff],
  ['image/webp', (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'],
  ['image/gif', (bytes) => bytes.toString('latin1', 0, 4) === 'GIF8'],
];

/** Decodes a vendor's base64 image. Returns undefined if the bytes are not an image. */
export function toImage(base64: unknown): GeneratedImage | undefined {
  if (typeof base64 !== 'string') return undefined;
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length < 12) return undefined;
  const found = signatures.find(([, matches]) => matches(bytes));
  return found && { bytes, mimeType: found[0] };
}
