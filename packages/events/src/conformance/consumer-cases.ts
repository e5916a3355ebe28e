import { describe, expect, it } from '@jest/globals';
import { consumeOnce } from '../consume-once.js';
import { deadLetterTopic, fromDeadLetter } from '../dead-letter.js';
import type { ReceivedEvent } from '../event.js';
import { type Harness, readPayload, until } from './harness.js';

/** From the transport to the handler. */
export function consumerCases(harness: () => Harness): void {
  describe('consumers', () => {
    it('delivers every event to each of two groups', async () => {
      const { event, append, relay, transport, collect } = harness();
      const bus = await transport();
      const [first, second] = [await collect(bus, 'one'), await collect(bus, 'two')];
      await append(event('a'), event('b'), event('c'));
      await relay(bus).drain();
      await until('both have all', () => first.firstSeen().length === 3 && second.firstSeen().length === 3);
    });

    it('delivers earlier events to a group that joins later', async () => {
      const { event, append, relay, transport, collect } = harness();
      const bus = await transport();
      await append(event('a'), event('b'));
      await relay(bus).drain();
      const late = await collect(bus, 'late');
      await until('it has caught up', () => late.firstSeen().length === 2);
    });

    it('shares the work among processes of a group and takes over when a process ends', async () => {
      const { event, append, relay, transport, collect } = harness();
      const [one, two] = [await transport(), await transport()];
      const first = await collect(one, 'shared');
      const second = await collect(two, 'shared');
      const running = relay(one);
      await append(...Array.from({ length: 20 }, (_, index) => event(`k${index}`, `before-${index}`)));
      await running.drain();
      const seen = () => new Set([...first.firstSeen(), ...second.firstSeen()]).size;
      await until('together they have all', () => seen() === 20);
      await first.stop();
      await append(...Array.from({ length: 20 }, (_, index) => event(`k${index}`, `after-${index}`)));
      await until(
        'the one left has the rest',
        () => second.firstSeen().filter((text) => text.startsWith('after')).length === 20,
      );
    });

    it('delivers unacknowledged events to the next consumer after the first one stops', async () => {
      const { event, append, relay, transport, collect } = harness();
      const bus = await transport();
      let tries = 0;
      const failing = await collect(bus, 'crashing', {
        isTransient: () => true,
        handler: async (received) => {
          if (readPayload(received) === 'second') throw new Error(`down, ${++tries}`);
        },
      });
      await append(event('a', 'first'), event('a', 'second'), event('a', 'third'));
      await relay(bus).drain();
      await until('it has failed a few times', () => tries > 3);
      await failing.stop();
      expect(failing.events.map(readPayload)).toEqual(['first']);
      const next = await collect(bus, 'crashing');
      await until('the next one has the rest', () => next.firstSeen().includes('third'));
      expect(next.firstSeen().filter((text) => text !== 'first')).toEqual(['second', 'third']);
    });

    it('sends an event that always fails to the dead-letter topic with the reason and continues', async () => {
      const { event, append, relay, transport, collect, topic, groupName } = harness();
      const bus = await transport();
      const poison = event('a', 'poison');
      const consumer = await collect(bus, 'strict', { handler: rejectPoison });
      const letters = await collect(bus, 'undertaker', { topics: [deadLetterTopic(topic)] });
      await append(event('a', 'before'), poison, event('a', 'after'));
      await relay(bus).drain();
      await until(
        'the rest and the letter arrived',
        () => consumer.firstSeen().length === 2 && letters.events.length > 0,
      );
      expect(consumer.firstSeen()).toEqual(['before', 'after']);
      const letter = letters.events[0]!;
      expect(letter).toMatchObject({ id: poison.id, key: 'a', type: poison.type, source: '/tollgate/test' });
      expect(readPayload(letter)).toBe('poison');
      expect(letter.headers).toMatchObject({
        dlq_group: groupName('strict'),
        dlq_topic: topic,
        dlq_attempts: '3',
        dlq_reason: 'Error: cannot read poison',
      });
    });

    it('keeps dead letters until a mark passes them, and delivers a letter that is published again', async () => {
      const { event, append, relay, transport, collect, topic, groupName } = harness();
      const bus = await transport();
      const [poison, second] = [event('a', 'poison'), event('b', 'poison')];
      let isRepaired = false;
      const handler = async (one: ReceivedEvent) => {
        if (!isRepaired) await rejectPoison(one);
      };
      const consumer = await collect(bus, 'strict', { handler });
      await append(poison, second);
      await relay(bus).drain();
      const kept = { topic: deadLetterTopic(topic), signal: AbortSignal.timeout(30_000) };
      const unread = (limit: number) => bus.readKept({ ...kept, group: groupName('replayed'), limit });
      await until('both letters arrived', async () => (await unread(10)).length === 2);
      const [first] = await unread(1);
      isRepaired = true;
      await bus.publish([fromDeadLetter(first!)]);
      await bus.advanceMark(groupName('replayed'), [first!]);
      await until('it was delivered again', () => consumer.events.length === 1);
      expect(consumer.events[0]).toMatchObject({ id: first!.id, topic });
      expect(Object.keys(consumer.events[0]!.headers).filter((name) => name.startsWith('dlq_'))).toEqual([]);
      const left = await unread(10);
      expect(left.map(({ id }) => id)).toEqual([poison.id, second.id].filter((id) => id !== first!.id));
      expect(await bus.readKept({ ...kept, limit: 10 })).toHaveLength(2);
    });

    it('retries an event while the database is unavailable and never dead-letters it', async () => {
      const { event, append, relay, transport, collect, topic } = harness();
      const bus = await transport();
      let failures = 0;
      const consumer = await collect(bus, 'patient', {
        handler: async () => {
          if (++failures <= 8) throw Object.assign(new Error('database is down'), { code: 'ECONNREFUSED' });
        },
      });
      const letters = await collect(bus, 'undertaker', { topics: [deadLetterTopic(topic)] });
      await append(event('a', 'kept'));
      await relay(bus).drain();
      await until('it went through', () => consumer.events.length === 1);
      expect(letters.events).toEqual([]);
    });

    it('delivers all events to a batch handler in order and drops only the event it rejects', async () => {
      const { event, append, relay, transport, topic, groupName } = harness();
      const bus = await transport();
      const seen: string[] = [];
      const batchHandler = async (events: readonly ReceivedEvent[]) => {
        await Promise.all(events.map(rejectPoison));
        seen.push(...events.map(readPayload));
      };
      await append(...['1', '2', 'poison', '4', '5'].map((text) => event('a', text)));
      await relay(bus).drain();
      const retry = { retryDelayMs: 5, attemptsMax: 2 };
      await bus.subscribe({ group: groupName('batches'), topics: [topic], batchHandler, ...retry });
      await until('the rest arrived', () => new Set(seen).size === 4);
      expect([...new Set(seen)]).toEqual(['1', '2', '4', '5']);
    });

    it('applies each effect once when events arrive twice', async () => {
      const { event, append, relay, transport, collect, database } = harness();
      const bus = await transport();
      await database.pool.query('CREATE TABLE effect (id uuid)');
      const consumer = await collect(bus, 'once', {
        handler: async ({ id }) => {
          await consumeOnce(database.pool, 'effect', id, (tx) => tx.query('INSERT INTO effect VALUES ($1)', [id]));
        },
      });
      const sent = event('a');
      await append(sent, event('b'), sent, sent);
      await relay(bus).drain();
      await until('all arrived', () => consumer.events.length >= 4);
      const { rows } = await database.pool.query(
        'SELECT count(*)::int AS n, count(DISTINCT id)::int AS ids FROM effect',
      );
      expect(rows).toEqual([{ n: 2, ids: 2 }]);
    });
  });
}

async function rejectPoison(event: ReceivedEvent): Promise<void> {
  if (readPayload(event) === 'poison') throw new Error('cannot read poison');
}
