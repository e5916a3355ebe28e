import type { ContentPart, FilePart } from '@tollgate/api/model-requests';
import type { ModelPart } from '../domain/model-request.js';
import { refused, vendorOnly } from './refused.js';

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

/** Reads an image that was sent as a base64 `data:` URL, or linked to. @throws AppError that names the field for any other form */
export function imageFromUrl(url: string, field: string): ModelPart {
  return /^https:/i.test(url) ? { type: 'linked_image', url, field } : fileFromDataUrl(url, undefined, field);
}

/** Reads a file that was sent as a base64 `data:` URL. @throws AppError that names the field for any other form */
export function fileFromDataUrl(url: string, filename: string | undefined, field: string): FilePart {
  if (/^https?:/i.test(url)) throw vendorOnly(field, 'this model takes files as data: URLs with base64 only');
  const comma = url.indexOf(',');
  const head = /^data:([^;,]+)(?:;[^;,]+)*;base64$/i.exec(url.slice(0, comma === -1 ? 0 : comma));
  if (!head) throw refused(field, 'this model takes files as data: URLs with base64 only');
  const file = { data_base64: url.slice(comma + 1), mime_type: head[1]!.toLowerCase() };
  return { type: 'file', file: filename === undefined ? file : { ...file, filename } };
}
