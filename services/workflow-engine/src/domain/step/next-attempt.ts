import { limits } from '../limits.js';

export type StepStatus = 'intent' | 'dispatched' | 'settled' | 'failed' | 'ambiguous' | 'dropped';

/** One attempt of a model step in the journal. */
export interface JournalEntry {
  step: number;
  attempt: number;
  holdId: string;
  status: StepStatus;
}

export interface AttemptRef {
  step: number;
  attempt: number;
}

/**
 * - `reuse`: the request was never sent. The same request id finds the hold that may exist.
 * - `start`: a new request id. `lost` was sent and its outcome is unknown. `supersedes` is the latest attempt of the
 *   step that may have cost something without a result.
 */
export type NextAttempt =
  | ({ kind: 'reuse'; holdId: string; supersedes: string | undefined } & AttemptRef)
  | ({
      kind: 'start';
      supersedes: string | undefined;
      lost: JournalEntry | undefined;
    } & AttemptRef)
  | ({ kind: 'exhausted'; lost: JournalEntry | undefined } & AttemptRef);

/**
 * Returns the next model call of a node, from its journal. Requires that the entries are in the order of step and
 * attempt, and that all tool calls of settled steps are answered.
 */
export function nextAttempt(journal: readonly JournalEntry[], firstStep: number): NextAttempt {
  const last = journal.at(-1);
  if (!last) return start(firstStep, 1, undefined);
  if (last.status === 'settled') return start(last.step + 1, 1, undefined);
  const lostBefore = journal.filter((entry) => entry.step === last.step && entry.status === 'ambiguous');
  const lost = last.status === 'dispatched' ? last : undefined;
  const supersedes = (lost ?? lostBefore.at(-1))?.holdId;
  if (lostBefore.length + (lost ? 1 : 0) >= limits.lostAttempts) {
    return { kind: 'exhausted', step: last.step, attempt: last.attempt, lost };
  }
  if (last.status === 'intent') {
    return { kind: 'reuse', step: last.step, attempt: last.attempt, holdId: last.holdId, supersedes };
  }
  return { ...start(last.step, last.attempt + 1, supersedes), lost };
}

function start(step: number, attempt: number, supersedes: string | undefined): NextAttempt & { kind: 'start' } {
  return { kind: 'start', step, attempt, supersedes, lost: undefined };
}
