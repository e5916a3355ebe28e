import { CountingThread } from './counting-thread.js';
import type { CatalogModel } from './model-record.js';
import { reserveForResults } from './provider-tools.js';
import { boundOfMessage, boundOfRest, type RequestInput } from './token-estimates.js';

/** Longer requests are not counted, because that takes too long: their bound decides. */
const CHARACTERS_MAX = 65_536;
/**
 * Text is counted in pieces of this size, because merging takes quadratic time in a word's length and a request may be
 * one long word. Each piece costs at most a token for merges that its end has cut.
 */
const PIECE_CHARACTERS = 256;

/** Starts with the first count. */
const thread = new CountingThread();

/**
 * Whether a count below `estimateInputTokens` is possible: the vocabulary is published and the request has an ordinary
 * size.
 */
export function canCountInputTokens(model: CatalogModel, input: RequestInput): boolean {
  return model.tokenizer === 'o200k' && countCharacters(input) <= CHARACTERS_MAX;
}

/**
 * A tighter upper bound than `estimateInputTokens`, never above it, where `canCountInputTokens`: the text of messages
 * counted with the model's own vocabulary, the chat format's markup as there. Content that a vendor renders in its own way (tool
 * definitions, schemas, files) stays at its bound. Counts in another thread.
 *
 * @throws AppError SERVICE_UNAVAILABLE when it cannot count now
 */
export async function countInputTokens(model: CatalogModel, input: RequestInput): Promise<number> {
  const pieces = input.messages.map((message) => [...splitIntoPieces(message)]);
  const counts = await thread.count(pieces);
  // A token more per piece, for the merges that its end has cut.
  const total = input.messages.reduce((sum, message, at) => {
    const counted = boundOfMessage('') + counts[at]! + pieces[at]!.length;
    return sum + Math.min(counted, boundOfMessage(message));
  }, boundOfRest(input));
  const read = Math.min(total + model.prompt_overhead_tokens, model.context_window);
  return read + reserveForResults(input.providerTools ?? []);
}

function countCharacters(input: RequestInput): number {
  return input.messages.reduce((sum, message) => sum + message.length, 0);
}

/** Never through a surrogate pair: half of one counts as another character. */
function* splitIntoPieces(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + PIECE_CHARACTERS, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd8_00 && unit < 0xdc_00;
}
