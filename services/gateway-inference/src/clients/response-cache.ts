import type { ProviderId } from '@tollgate/api/model-requests';
import type { ModelAnswer } from '../domain/model-answer.js';

/** An answer, as it is stored for identical requests. */
export interface CachedAnswer {
  provider: ProviderId;
  answer: Pick<ModelAnswer, 'responseId' | 'stopReason' | 'text' | 'toolCalls' | 'usage' | 'citations'>;
}

/** Caches answers. An unavailable cache has no answers: it never fails a request and never delays it for long. */
export interface ResponseCache {
  get(key: string): Promise<CachedAnswer | undefined>;
  put(key: string, entry: CachedAnswer): Promise<void>;
  stop(): Promise<void>;
}

/** Longer answers are not cached. */
export const ENTRY_BYTES_MAX = 1024 * 1024;
