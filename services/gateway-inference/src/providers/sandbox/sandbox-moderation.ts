/** Source: `Moderation.Categories` of the `openai` client library 6.49. */
const categories = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/instructions',
  'self-harm/intent',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
];
const FLAGGED_SCORE = 0.99;
const OTHER_SCORE = 0.01;

/** Returns one text per result: each of several texts has a result of its own, and all parts of one input share one. */
export function toModeratedTexts(input: unknown): string[] {
  if (!Array.isArray(input)) return [String(input ?? '')];
  if (input.every((item) => typeof item === 'string')) return input;
  const texts = input.map((part) => (part as { text?: unknown } | null)?.text);
  return [texts.filter((text) => typeof text === 'string').join('\n')];
}

/** Flags a text by the words `flag as CATEGORY`. */
export function moderateText(text: string): object {
  const named = new Set([...text.matchAll(/\bflag as ([a-z/-]+)/gi)].map(([, category]) => category?.toLowerCase()));
  const flags = categories.map((category) => [category, named.has(category)] as const);
  return {
    flagged: flags.some(([, isFlagged]) => isFlagged),
    categories: Object.fromEntries(flags),
    category_scores: Object.fromEntries(
      flags.map(([category, isFlagged]) => [category, isFlagged ? FLAGGED_SCORE : OTHER_SCORE]),
    ),
    category_applied_input_types: Object.fromEntries(categories.map((category) => [category, ['text']])),
  };
}
