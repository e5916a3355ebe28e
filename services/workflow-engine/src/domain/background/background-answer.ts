import { type ResponseFailure, toBackgroundResponseId, toResponseWithoutAnswer } from '@tollgate/api/compatible';
import { type AppError, toOpenAiError, vendorStatus } from '@tollgate/errors';

export type BackgroundStatus = 'queued' | 'in_progress' | 'completed' | 'failed' | 'cancelled';

/** A response as the store has it. */
export interface BackgroundRecord {
  /** JSON. */
  head: string;
  status: BackgroundStatus;
  error: string | null;
  answer: string | null;
}

/** Returns the JSON of a response; undefined for a complete one, which is stored elsewhere. */
export function toBackgroundResponse({ head, status, error, answer }: BackgroundRecord): string | undefined {
  if (status === 'completed') return answer ?? undefined;
  const failure = error === null ? null : (JSON.parse(error) as ResponseFailure);
  return JSON.stringify(toResponseWithoutAnswer(JSON.parse(head) as Record<string, unknown>, status, failure));
}

/**
 * Returns the JSON of what an ended response without an answer repeats from its request, whose long members are left out; undefined for
 * all of it.
 */
export function toEndedHead(
  head: Readonly<Record<string, unknown>>,
  bytes: number,
  bytesMax: number,
): string | undefined {
  if (bytes <= bytesMax) return undefined;
  const format = { type: 'text' };
  return JSON.stringify({ ...head, instructions: null, tools: [], tool_choice: 'auto', text: { format } });
}

/** Returns the JSON of an answer that was not stored as the response with this UUID; undefined for a stored answer. */
export function toUnstoredAnswer(json: string, uuid: string): string | undefined {
  const answer = JSON.parse(json) as Record<string, unknown>;
  const id = toBackgroundResponseId(uuid);
  if (answer.id === id && answer.store === true) return undefined;
  return JSON.stringify({ ...answer, id, background: true, store: false });
}

/** Returns why a response failed, in the vendor's words. */
export function toResponseFailure(error: AppError): ResponseFailure {
  const status = vendorStatus(error);
  const { message } = toOpenAiError(error);
  if (status === 429) return { code: 'rate_limit_exceeded', message };
  return { code: status >= 400 && status < 500 ? 'invalid_prompt' : 'server_error', message };
}
