import { createHash } from 'node:crypto';
import { canonicalJson } from '@tollgate/runtime/canonical-json';

/** What decides an answer, apart from the model's mood. */
export interface CacheSubject {
  projectId: string;
  /** Empty for the project's own requests. No customer learns what another one has asked. */
  customerId: string;
  dialect: number;
  modelId: string;
  maxOutputTokens: number;
  body: object;
}

/** How an answer is told changes nothing about it. */
const TELLING = new Set(['stream', 'stream_options']);

/** Equal for requests that are equal as JSON, whatever the order of their fields. */
export function cacheKeyOf({ body, ...subject }: CacheSubject): string {
  const asked = Object.fromEntries(Object.entries(body).filter(([name]) => !TELLING.has(name)));
  return createHash('sha256')
    .update(canonicalJson({ ...subject, asked }))
    .digest('hex');
}
