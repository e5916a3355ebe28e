/** Bytes of UTF-8 that make one sandbox token. */
export const SANDBOX_BYTES_PER_TOKEN = 4;
/** What every message costs on top of its text. */
export const SANDBOX_TOKENS_PER_MESSAGE = 4;
/** Tokens per attached file of any size. */
export const SANDBOX_TOKENS_PER_FILE = 256;

/** Tokens of a text by the sandbox's rule: one per started 4 bytes of UTF-8. */
export function countSandboxTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text, 'utf8') / SANDBOX_BYTES_PER_TOKEN);
}

/**
 * The text cut into its sandbox tokens, never inside a code point. The first n pieces joined always count as n tokens,
 * so cutting an answer at max_output_tokens and counting what was sent agree.
 */
export function splitSandboxTokens(text: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  let bytes = 0;
  for (const codePoint of text) {
    const size = Buffer.byteLength(codePoint, 'utf8');
    // A code point has at most 4 bytes, so a piece that would overrun its token's end is never empty.
    if (bytes + size > (pieces.length + 1) * SANDBOX_BYTES_PER_TOKEN) {
      pieces.push(piece);
      piece = '';
    }
    piece += codePoint;
    bytes += size;
  }
  return piece === '' ? pieces : [...pieces, piece];
}
