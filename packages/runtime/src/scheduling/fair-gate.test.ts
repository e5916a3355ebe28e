import { describe, expect, it } from '@jest/globals';
import { FairGate, type FairGateOptions } from './fair-gate.js';

const openGate = (options: Partial<FairGateOptions>) =>
  new FairGate({ slots: 2, waitingMax: 100, waitMs: 10_000, refuse: () => new Error('too many'), ...options });
const call = { signal: new AbortController().signal, remainingMs: () => 600_000 };

/** Work that the test ends. */
function pending() {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => ends.push(resolve));
  return { ends, work };
}

describe('FairGate', () => {
  it("starts another account's work at once while a burst waits", async () => {
    const gate = openGate({ slots: 4 });
    const { ends, work } = pending();
    const burst = Array.from({ length: 10 }, () => gate.run('busy', call, work));
    expect(ends).toHaveLength(2);
    await expect(gate.run('small', call, async () => 'started')).resolves.toBe('started');
    while (ends.length > 0) {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(burst);
  });

  it('rejects work that may not wait', async () => {
    const gate = openGate({ slots: 2, waitingMax: 2 });
    const { ends, work } = pending();
    const accepted = [gate.run('busy', call, work), gate.run('busy', call, work)];
    await expect(gate.run('busy', call, work)).rejects.toThrow('too many');
    ends.shift()?.();
    await accepted[0];
    ends.shift()?.();
    await accepted[1];
  });

  it('frees the slot when the work fails', async () => {
    const gate = openGate({ slots: 2 });
    const failing = () => Promise.reject(new Error('refused'));
    for (let i = 0; i < 5; i++) await expect(gate.run('a', call, failing)).rejects.toThrow('refused');
  });

  it('rejects work that has waited too long', async () => {
    const gate = openGate({ slots: 2, waitMs: 1 });
    const { ends, work } = pending();
    const running = gate.run('busy', call, work);
    await expect(gate.run('busy', call, work)).rejects.toThrow('too many');
    ends.shift()?.();
    await running;
    expect(ends).toEqual([]);
    await expect(gate.run('busy', call, async () => 'started')).resolves.toBe('started');
  });

  it('waits no longer than the deadline of the call', async () => {
    const gate = openGate({ slots: 2, waitMs: 600_000 });
    const { ends, work } = pending();
    const running = gate.run('busy', call, work);
    await expect(gate.run('busy', { ...call, remainingMs: () => 1 }, work)).rejects.toThrow('too many');
    ends.shift()?.();
    await running;
  });

  it('stops waiting when the call is aborted', async () => {
    const gate = openGate({ slots: 2 });
    const { ends, work } = pending();
    const running = gate.run('busy', call, work);
    const leaving = new AbortController();
    const waiting = gate.run('busy', { ...call, signal: leaving.signal }, work);
    leaving.abort();
    await expect(waiting).rejects.toThrow('too many');
    ends.shift()?.();
    await running;
  });
});
