import { describe, expect, it } from '@jest/globals';
import { appendEvents, outboxBacklog } from '../outbox.js';
import type { EventTransport } from '../transport.js';
import { type Harness, readPayload, until } from './harness.js';

/** From the outbox to the transport. */
export function outboxCases(harness: () => Harness): void {
  describe('from outbox to consumer', () => {
    it('delivers what was committed and nothing that was rolled back or is still open', async () => {
      const { database, event, append, relay, transport, collect } = harness();
      const bus = await transport();
      const consumer = await collect(bus, 'reader');
      const open = await database.pool.connect();
      const aborted = await database.pool.connect();
      await aborted.query('BEGIN');
      await appendEvents(aborted, [event('a', 'rolled back')]);
      await aborted.query('ROLLBACK');
      await open.query('BEGIN');
      await appendEvents(open, [event('b', 'still open')]);
      await append(event('a', 'committed'));
      await relay(bus).drain();
      await append(event('c', 'committed later'));
      await until('the second commit arrived', () => consumer.events.length >= 2);
      await open.query('ROLLBACK');
      aborted.release();
      open.release();
      expect(consumer.events.map(readPayload)).toEqual(expect.arrayContaining(['committed', 'committed later']));
      expect(consumer.events).toHaveLength(2);
    });

    it.each([
      ['with its own transport', (bus: EventTransport) => bus],
      ['for an outbox in another database', plain],
    ])(
      'does not skip an event whose long transaction commits after younger ones were published, %s',
      async (_, via) => {
        const { database, event, append, relay, transport, collect } = harness();
        const bus = await transport();
        const consumer = await collect(bus, 'reader');
        const long = await database.pool.connect();
        await long.query('BEGIN');
        await appendEvents(long, [event('late', 'late')]);
        const running = relay(via(bus), { batchMax: 2 });
        for (const text of ['1', '2', '3', '4', '5']) {
          await append(event('early', text));
          await until(`${text} arrived`, () => consumer.firstSeen().includes(text));
        }
        await long.query('COMMIT');
        long.release();
        await running.drain();
        await until('the late event arrived', () => consumer.firstSeen().includes('late'));
      },
    );

    it('keeps id, type, source, key, time, correlation and payload bytes', async () => {
      const { event, append, relay, transport, collect, topic } = harness();
      const bus = await transport();
      const consumer = await collect(bus, 'reader');
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      const sent = { ...event('account-1'), payload: Uint8Array.of(0, 255, 10, 13), requestId: 'req-1', traceparent };
      await append(sent);
      await relay(bus).drain();
      await until('it arrived', () => consumer.events.length === 1);
      const { payload, ...received } = consumer.events[0]!;
      expect([...payload]).toEqual([0, 255, 10, 13]);
      const { id, type, key, occurredAt } = sent;
      const expected = { id, type, key, occurredAt, topic, source: '/tollgate/test', requestId: 'req-1', traceparent };
      expect(received).toMatchObject({ ...expected, headers: {} });
    });

    it('publishes again, with the same id, after a crash between send and mark', async () => {
      const { event, append, relay, transport, collect, database } = harness();
      const bus = await transport();
      const consumer = await collect(bus, 'reader');
      const sent = event('a');
      await append(sent);
      const crashing = relay(diesAfterPublishing(bus), { leaseMs: 200 });
      await until('it was sent', () => consumer.events.length >= 1);
      await crashing.stop();
      expect(await outboxBacklog(database.pool)).toMatchObject({ unpublished: 1 });
      await relay(plain(bus)).drain();
      await until('it was sent again', () => consumer.events.length >= 2);
      expect(new Set(consumer.events.map(({ id }) => id))).toEqual(new Set([sent.id]));
    });

    it('publishes each event once while no relay fails, for any number of replicas', async () => {
      const { event, append, relay, transport, collect } = harness();
      const bus = await transport();
      const consumer = await collect(bus, 'reader');
      const relays = [relay(plain(bus)), relay(plain(bus)), relay(plain(bus))];
      for (let index = 0; index < 30; index++) {
        await append(event('a', String(index)));
        for (const one of relays) one.wake();
      }
      await relays[0]!.drain();
      await append(event('a', 'last'));
      await until('the last one arrived', () => consumer.firstSeen().includes('last'));
      expect(consumer.events.map(readPayload)).toEqual(consumer.firstSeen());
    });

    it('publishes through another replica when the holder of the lease was killed', async () => {
      const { event, append, relay, transport, collect } = harness();
      const bus = await transport();
      const consumer = await collect(bus, 'reader');
      const killed = neverHeardOfAgain(bus);
      await append(event('a'));
      relay(killed.transport, { leaseMs: 300 });
      await killed.reached;
      relay(plain(bus), { leaseMs: 300 });
      await until('the other replica took over', () => consumer.events.length >= 1);
      killed.bury();
    });
  });
}

/** The transport without its fast path, as for an outbox in another database. */
export function plain(bus: EventTransport): EventTransport {
  const { openMover: _mover, ...rest } = bus;
  return rest;
}

function diesAfterPublishing(bus: EventTransport): EventTransport {
  const publish = async (events: Parameters<EventTransport['publish']>[0]) => {
    await bus.publish(events);
    throw new Error('killed between send and mark');
  };
  return { ...plain(bus), publish };
}

/** Simulates a killed process: it claimed the lease, started to publish and stopped. */
function neverHeardOfAgain(bus: EventTransport) {
  let bury: () => void = () => undefined;
  let reach: () => void = () => undefined;
  const hanging = new Promise<void>((resolve) => {
    bury = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const publish = () => {
    reach();
    return hanging;
  };
  return { transport: { ...plain(bus), publish }, reached, bury };
}
