import type { ContentPart } from '@tollgate/api';

/** The content of a message that is a text alone; an empty one is no content. */
export function textParts(text: string): ContentPart[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/** Neighbouring texts as one part, so that providers without parts read the same. */
export function joinTexts(parts: readonly ContentPart[]): ContentPart[] {
  const joined: ContentPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = { ...last, text: last.text + part.text };
    else if (part.type !== 'text' || part.text !== '') joined.push(part);
  }
  return joined;
}
