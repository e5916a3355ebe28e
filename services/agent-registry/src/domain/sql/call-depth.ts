/** With each level, the parser takes about twice as long: a third of a second of CPU time for 16. */
export const CALLS_DEEP_MAX = 14;

/** A quoted text or a comment, which hides parentheses, a word with the parenthesis behind it, or a parenthesis. Takes linear time. */
const TOKEN = /'[^']*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[\w$]+(?:\s*\()?|[()]/g;

/** Words before a parenthesis that is not a call. */
const KEYWORDS = new Set(
  'all and any as between by case distinct else except exists from having in intersect is join lateral like limit not on or over select some then union using values when where with'.split(
    ' ',
  ),
);

/**
 * Whether calls are nested deeper than the parser can take. Counts the text, because a limit on time would depend on the load of the
 * machine. Where dialects read quotes differently, it may count a few calls too many or too few.
 */
export function isTooNested(sql: string): boolean {
  /** For each open parenthesis, whether it is a call. */
  const open: boolean[] = [];
  let depth = 0;
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token === ')') {
      if (open.pop()) depth--;
    } else if (/^[\w$]*\s*\($/.test(token)) {
      const word = token.slice(0, -1).trim().toLowerCase();
      const isCall = word !== '' && !KEYWORDS.has(word);
      open.push(isCall);
      if (isCall && ++depth > CALLS_DEEP_MAX) return true;
    }
  }
  return false;
}
