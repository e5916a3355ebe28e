import { createHash } from 'node:crypto';
import { canonicalJson } from '@tollgate/runtime/canonical-json';

/** Everything that determines an answer, except for the model's own variation. */
export interface CacheSubject {
  projectId: string;
  /** Empty for the project's own requests. Answers are never shared between customers. */
  customerId: string;
  dialect: number;
  modelId: string;
  maxOutputTokens: number;
  body: object;
}

/** Fields that change how an answer is delivered, not the answer. */
const TELLING = new Set(['stream', 'stream_options']);

/** Returns the same key for requests that are equal as JSON, in any order of their fields. */
export function toCacheKey({ body, ...subject }: CacheSubject): string {
  const asked = Object.fromEntries(Object.entries(body).filter(([name]) => !TELLING.has(name)));
  return createHash('sha256')
    .update(canonicalJson({ ...subject, asked }))
    .digest('hex');
}
