import { createHash } from 'node:crypto';

export const DIMENSIONS_DEFAULT = 256;
export const DIMENSIONS_MAX = 3072;

/**
 * Returns a unit vector that depends only on the text: the sum of one pseudo-random vector per word, so that texts with common
 * words are close.
 */
export function embedText(text: string, dimensions: number): Float32Array {
  const sum = new Float64Array(dimensions);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  for (const word of words) addNoise(sum, word);
  // A text without words, or with words that cancel each other out, also needs a direction.
  if (vectorLength(sum) === 0) addNoise(sum, `\n${text}`);
  const length = vectorLength(sum);
  return Float32Array.from(sum, (value) => value / length);
}

/** Adds values in (-1, 1) drawn by xorshift from the hash of the seed. */
function addNoise(sum: Float64Array, seed: string): void {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0) || 1;
  for (let i = 0; i < sum.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    sum[i]! += state / 2 ** 31;
  }
}

function vectorLength(vector: Float64Array): number {
  return Math.sqrt(vector.reduce((total, value) => total + value * value, 0));
}
