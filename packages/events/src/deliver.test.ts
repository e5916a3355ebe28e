import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tollgate/runtime';
import { deliver } from './deliver.js';
import type { EventRecord, ReceivedEvent } from './event.js';
import type { Subscription } from './transport.js';

function received(key: string, id: string): ReceivedEvent {
  const base = { type: 't', topic: 'topic', source: '/s', headers: {}, position: `0:${id}`, occurredAt: new Date(0) };
  return { ...base, id, key, payload: new Uint8Array() };
}

function set(options: Partial<Subscription>, signal = new AbortController().signal) {
  const letters: EventRecord[] = [];
  const base = { group: 'g', topics: ['topic'], retryDelayMs: 1, retryDelayMaxMs: 2 };
  const subscription = { ...base, ...options } as Subscription;
  const publishDeadLetter = async (letter: EventRecord) => void letters.push(letter);
  return { letters, context: { subscription, publishDeadLetter, logger: silentLogger, signal } };
}

describe('deliver', () => {
  it('handles events of different keys concurrently, and events of one key in sequence', async () => {
    const active = new Map<string, number>();
    let mostTogether = 0;
    let mostPerKey = 0;
    const handler = async ({ key }: ReceivedEvent) => {
      active.set(key, (active.get(key) ?? 0) + 1);
      mostPerKey = Math.max(mostPerKey, active.get(key)!);
      mostTogether = Math.max(
        mostTogether,
        [...active.values()].reduce((sum, count) => sum + count),
      );
      await new Promise((resolve) => setImmediate(resolve));
      active.set(key, active.get(key)! - 1);
    };
    const events = Array.from({ length: 60 }, (_, index) => received(`k${index % 6}`, String(index)));
    expect(await deliver(events, set({ handler, concurrency: 4 }).context)).toBe(60);
    expect(mostPerKey).toBe(1);
    expect(mostTogether).toBeGreaterThan(1);
  });

  it('reports only the events before the first unfinished one when it is stopped', async () => {
    const abort = new AbortController();
    const handler = async ({ id }: ReceivedEvent) => {
      if (id === '2') abort.abort();
    };
    const events = ['0', '1', '2', '3', '4'].map((id) => received('k', id));
    expect(await deliver(events, set({ handler }, abort.signal).context)).toBe(3);
  });

  it('does not acknowledge an event whose dead letter could not be written', async () => {
    const abort = new AbortController();
    const { context } = set({ handler: () => Promise.reject(new Error('poison')), attemptsMax: 1 }, abort.signal);
    let tries = 0;
    const publishDeadLetter = async () => {
      if (++tries === 3) abort.abort();
      throw new Error('broker down');
    };
    expect(await deliver([received('k', '0')], { ...context, publishDeadLetter })).toBe(0);
    expect(tries).toBe(3);
  });

  it('counts only failures of the event itself towards the dead letter', async () => {
    let call = 0;
    const handler = async () => {
      call += 1;
      throw Object.assign(new Error(`call ${call}`), call % 2 === 1 ? { code: 'ECONNRESET' } : {});
    };
    const { letters, context } = set({ handler, attemptsMax: 2 });
    expect(await deliver([received('k', '0')], context)).toBe(1);
    expect(letters).toHaveLength(1);
    expect(letters[0]!.headers).toMatchObject({ dlq_attempts: '2', dlq_reason: 'Error: call 4' });
  });
});
