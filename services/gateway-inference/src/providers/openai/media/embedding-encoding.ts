import { endianness } from 'node:os';
import { filterObjects } from '../../convert/answer-reading.js';

const BYTES_PER_NUMBER = 4;

/**
 * Converts embeddings to the encoding that the client asked for, in place: some servers ignore it, and client libraries read whatever
 * comes as that encoding. Returns whether something changed.
 */
export function toEncoding(list: unknown, encoding: unknown): boolean {
  let isChanged = false;
  for (const item of filterObjects(list)) {
    const converted = encoding === 'base64' ? toBase64(item.embedding) : toNumbers(item.embedding);
    if (converted === undefined) continue;
    item.embedding = converted;
    isChanged = true;
  }
  return isChanged;
}

/** OpenAI's encoding: 32-bit floats, little-endian. */
function toBase64(embedding: unknown): string | undefined {
  if (!Array.isArray(embedding)) return undefined;
  const bytes = Buffer.from(Float32Array.from(embedding, Number).buffer);
  return (endianness() === 'LE' ? bytes : bytes.swap32()).toString('base64');
}

function toNumbers(embedding: unknown): number[] | undefined {
  if (typeof embedding !== 'string') return undefined;
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: Math.floor(bytes.length / BYTES_PER_NUMBER) }, (_, i) =>
    bytes.readFloatLE(i * BYTES_PER_NUMBER),
  );
}
