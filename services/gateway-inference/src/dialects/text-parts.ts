import type { ContentPart } from '@tollgate/api/model-requests';
import type { ModelPart } from '../domain/model-request.js';

/** Returns the content of a text-only message; an empty text counts as no content. */
export function textParts(text: string): ContentPart[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/** Merges adjacent texts into one part, so that providers without parts read the same. */
export function joinTexts(parts: readonly ModelPart[]): ModelPart[] {
  const joined: ModelPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = { ...last, text: last.text + part.text };
    else if (part.type !== 'text' || part.text !== '') joined.push(part);
  }
  return joined;
}
