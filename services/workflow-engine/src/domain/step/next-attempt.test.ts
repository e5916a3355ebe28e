import { describe, expect, it } from '@jest/globals';
import { limits } from '../limits.js';
import { type JournalEntry, nextAttempt, type StepStatus } from './next-attempt.js';

function entry(step: number, attempt: number, status: StepStatus): JournalEntry {
  return { step, attempt, holdId: `r${step}.${attempt}`, status };
}

describe('nextAttempt', () => {
  it('begins with the first attempt of step 0', () => {
    expect(nextAttempt([], 0)).toMatchObject({ kind: 'start', step: 0, attempt: 1, supersedes: undefined });
  });

  it('goes on with a request that was never sent, under its own id', () => {
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

  it('replaces a request that was sent and never heard of again', () => {
    const next = nextAttempt([entry(0, 1, 'dispatched')], 0);
    expect(next).toMatchObject({ kind: 'start', attempt: 2, supersedes: 'r0.1', lost: { holdId: 'r0.1' } });
  });

  it('still replaces the lost request when its replacement was never sent', () => {
    const journal = [entry(0, 1, 'ambiguous'), entry(0, 2, 'intent')];
    expect(nextAttempt(journal, 0)).toMatchObject({ kind: 'reuse', attempt: 2, supersedes: 'r0.1' });
    const dropped = [entry(0, 1, 'ambiguous'), entry(0, 2, 'dropped')];
    expect(nextAttempt(dropped, 0)).toMatchObject({ kind: 'start', attempt: 3, supersedes: 'r0.1' });
  });

  it('replaces the latest of several lost requests: it replaced the earlier ones itself', () => {
    const journal = [entry(0, 1, 'ambiguous'), entry(0, 2, 'dispatched')];
    expect(nextAttempt(journal, 0)).toMatchObject({ kind: 'start', attempt: 3, supersedes: 'r0.2' });
  });

  it('goes to the next step when the tool calls of a settled one were answered, and replaces nothing there', () => {
    const journal = [entry(0, 1, 'ambiguous'), entry(0, 2, 'settled')];
    expect(nextAttempt(journal, 0)).toMatchObject({ kind: 'start', step: 1, attempt: 1, supersedes: undefined });
  });

  it('begins again where its node begins again', () => {
    expect(nextAttempt([], 3)).toMatchObject({ kind: 'start', step: 3, attempt: 1 });
  });

  it('gives up after too many lost requests', () => {
    const lost = Array.from({ length: limits.lostAttempts - 1 }, (_, index) => entry(0, index + 1, 'ambiguous'));
    expect(nextAttempt([...lost, entry(0, limits.lostAttempts, 'intent')], 0)).toMatchObject({ kind: 'reuse' });
    expect(nextAttempt([...lost, entry(0, limits.lostAttempts, 'dispatched')], 0)).toMatchObject({ kind: 'exhausted' });
  });
});
