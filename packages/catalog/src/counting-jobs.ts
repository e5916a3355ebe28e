// Loaded by the thread of counting-thread.ts.
import { setImmediate as yieldThread } from 'node:timers/promises';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Texts of one request, split into pieces that are counted separately. */
export type Texts = readonly (readonly string[])[];

/** Jobs take turns after so many pieces, so that a small one does not wait for a large one. */
const PIECES_AT_ONCE = 8;

const asText = { disallowedSpecial: new Set<string>() };

/** Returns the tokens of each text. */
export async function run(texts: Texts): Promise<number[]> {
  const counts: number[] = [];
  let pieces = 0;
  for (const text of texts) {
    let count = 0;
    for (const piece of text) {
      count += countTokens(piece, asText);
      pieces += 1;
      if (pieces % PIECES_AT_ONCE === 0) await yieldThread();
    }
    counts.push(count);
  }
  return counts;
}
