/** First bytes of the image formats that vendors read and generate. */
const signatures: readonly (readonly [mimeType: string, matches: (bytes: Buffer) => boolean])[] = [
  ['image/png', (bytes) => bytes.readUInt32BE(0) === 0x89504e47],
  ['image/jpeg', (bytes) => bytes.readUIntBE(0, 3) === 0xffd8ff],
  ['image/webp', (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'],
  ['image/gif', (bytes) => bytes.toString('latin1', 0, 4) === 'GIF8'],
];

/** Returns the media type of an image by its first bytes; undefined if they are not an image. */
export function readImageType(bytes: Buffer): string | undefined {
  if (bytes.length < 12) return undefined;
  return signatures.find(([, matches]) => matches(bytes))?.[0];
}
