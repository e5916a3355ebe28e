import type { ProviderId } from '@tollgate/api';
import type { ModelAnswer } from '../domain/model-answer.js';

/** An answer as it is kept for exact repeats of its request. */
export interface CachedAnswer {
  provider: ProviderId;
  answer: Pick<ModelAnswer, 'responseId' | 'stopReason' | 'text' | 'toolCalls' | 'usage' | 'citations'>;
}

/** Answers of the past. A cache that is away has none: it never fails a request, and never keeps one waiting long. */
export interface ResponseCache {
  get(key: string): Promise<CachedAnswer | undefined>;
  put(key: string, entry: CachedAnswer): Promise<void>;
  stop(): Promise<void>;
}

/** Longer answers are not worth their place. */
export const ENTRY_BYTES_MAX = 1024 * 1024;
