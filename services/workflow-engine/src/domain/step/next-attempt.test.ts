import { describe, expect, it } from '@jest/globals';
import { limits } from '../limits.js';
import { type JournalEntry, nextAttempt, type StepStatus } from './next-attempt.js';

function entry(step: number, attempt: number, status: StepStatus): JournalEntry {
  return { step, attempt, holdId: `r${step}.${attempt}`, status };
}

describe('nextAttempt', () => {
  it('starts with the first attempt of step 0', () => {
    expect(nextAttempt([], 0)).toMatchObject({ kind: 'start', step: 0, attempt: 1, supersedes: undefined });
  });

  it('reuses the id of a request that was never sent', () => {
    const next = nextAttempt([entry(0, 1, 'intent')], 0);
    expect(next).toMatchObject({ kind: 'reuse', step: 0, attempt: 1, holdId: 'r0.1' });
  });

  it('takes a new request id after one whose hold ended before it was sent', () => {
    expect(nextAttempt([entry(0, 1, 'dropped')], 0)).toMatchObject({
      kind: 'start',
      step: 0,
      attempt: 2,
      supersedes: undefined,
      lost: undefined,
    });
  });

  it('replaces a request whose outcome is unknown', () => {
    const next = nextAttempt([entry(0, 1, 'dispatched')], 0);
    expect(next).toMatchObject({ kind: 'start', attempt: 2, supersedes: 'r0.1', lost: { holdId: 'r0.1' } });
  });

  it('replaces the lost request again when its replacement was never sent', () => {
    const journal = [entry(0, 1, 'ambiguous'), entry(0, 2, 'intent')];
    expect(nextAttempt(journal, 0)).toMatchObject({ kind: 'reuse', attempt: 2, supersedes: 'r0.1' });
    const dropped = [entry(0, 1, 'ambiguous'), entry(0, 2, 'dropped')];
    expect(nextAttempt(dropped, 0)).toMatchObject({ kind: 'start', attempt: 3, supersedes: 'r0.1' });
  });

  it('replaces only the latest of several lost requests', () => {
    const journal = [entry(0, 1, 'ambiguous'), entry(0, 2, 'dispatched')];
    expect(nextAttempt(journal, 0)).toMatchObject({ kind: 'start', attempt: 3, supersedes: 'r0.2' });
  });

  it('continues with the next step after a settled one, without replacing a request', () => {
    const journal = [entry(0, 1, 'ambiguous'), entry(0, 2, 'settled')];
    expect(nextAttempt(journal, 0)).toMatchObject({ kind: 'start', step: 1, attempt: 1, supersedes: undefined });
  });

  it('starts at the first step of the node’s attempt', () => {
    expect(nextAttempt([], 3)).toMatchObject({ kind: 'start', step: 3, attempt: 1 });
  });

  it('returns exhausted after too many lost requests', () => {
    const lost = Array.from({ length: limits.lostAttempts - 1 }, (_, index) => entry(0, index + 1, 'ambiguous'));
    expect(nextAttempt([...lost, entry(0, limits.lostAttempts, 'intent')], 0)).toMatchObject({ kind: 'reuse' });
    expect(nextAttempt([...lost, entry(0, limits.lostAttempts, 'dispatched')], 0)).toMatchObject({ kind: 'exhausted' });
  });
});
