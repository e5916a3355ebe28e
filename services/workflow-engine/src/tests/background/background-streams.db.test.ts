// Tests the streams of background responses: what readers get, in whichever process, and what a crash leaves of it.
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { toBackgroundResponseId } from '@tollgate/api/compatible';
import { AppError } from '@tollgate/errors';
import { backgroundLimits } from '../../domain/background/background-request.js';
import { awaitQueued, cancelQueued, queue, readStream, type StreamedEvent } from '../../testing/background-client.js';
import { cuttableLink } from '../../testing/cuttable-link.js';
import { callAs, customerToken, OTHER_PROJECT, secretKey, type TestEngine } from '../../testing/engine-fixture.js';
import { INPUT_PRICE, OUTPUT_PRICE } from '../../testing/fake-billing.js';
import { countTokens } from '../../testing/fake-inference.js';
import { gate, until } from '../../testing/run-client.js';
import { usePeers } from '../../testing/use-engine.js';

const work = { leaseMs: 500, heartbeatMs: 120, pollMs: 60, drainMs: 20 };
const START = ['response.created', 'response.queued', 'response.in_progress', 'response.output_item.added'];

const { database, peers } = usePeers(import.meta.url);

beforeEach(async () => {
  await database.pool.query('DELETE FROM background_responses');
});

const start = (usesNotify = true) => peers.engine({ work, sandboxProvider: true, usesNotify });
const cost = (prompt: string) => BigInt(countTokens(prompt)) * (INPUT_PRICE + OUTPUT_PRICE);

/** Queues a streamed request whose funds the edge has held. */
async function admitAndQueue(engine: TestEngine, prompt: string, options: Parameters<typeof queue>[2] = {}) {
  const { holdId = randomUUID() } = options;
  peers.billing.open.add(holdId);
  return queue(engine, prompt, { isStreamed: true, ...options, holdId });
}

async function collect(events: AsyncIterable<StreamedEvent>): Promise<StreamedEvent[]> {
  const collected: StreamedEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

/** Reads in the background. Waits for what it asserts. */
function watch(engine: TestEngine, id: string, from: Parameters<typeof readStream>[2] = {}) {
  const events: StreamedEvent[] = [];
  const read = async () => {
    for await (const event of readStream(engine, id, from)) events.push(event);
    return events;
  };
  return { events, end: read() };
}

const toTypes = (events: readonly StreamedEvent[]) => events.map(({ type }) => type);
const toText = (events: readonly StreamedEvent[]) => events.map(({ delta }) => delta ?? '').join('');
const toIndexes = (events: readonly StreamedEvent[]) => events.map(({ sequence_number: n }) => n);
const expectGapless = (events: readonly StreamedEvent[]) =>
  expect(toIndexes(events)).toEqual(Array.from(events.keys()));
const countStored = async () => (await database.pool.query('SELECT 1 FROM background_events')).rows.length;

describe('a stream', () => {
  it.each([
    ['with', true],
    ['without', false],
  ])('gives readers in every process all events in order, live and replayed, %s NOTIFY', async (_, usesNotify) => {
    const { promise, open } = gate();
    peers.inference.reply = () => ({ gateAfterFirst: promise });
    const engines = [await start(usesNotify), await start(usesNotify)];
    const id = await admitAndQueue(engines[0]!, 'a longer request');
    const live = engines.map((engine) => watch(engine, id));
    await until(() => live.every(({ events }) => events.length === 5));
    open();
    const [first, second] = await Promise.all(live.map(({ end }) => end));
    expect(second).toEqual(first);
    expectGapless(first!);
    expect(toTypes(first!).slice(0, 4)).toEqual(START);
    expect(toText(first!)).toBe('a longer request');
    const responseId = toBackgroundResponseId(id);
    expect(first!.at(-1)).toMatchObject({ type: 'response.completed', response: { id: responseId } });
    expect(await collect(readStream(engines[1]!, id))).toEqual(first);
    expect(await collect(readStream(engines[0]!, id, { after: 5 }))).toEqual(first!.slice(6));
    for (const after of [first!.at(-1)!.sequence_number, 1_000]) {
      expect(await collect(readStream(engines[0]!, id, { after }))).toEqual([]);
    }
    expect(peers.billing.customerMicrocents()).toBe(cost('a longer request'));
  });

  it('ends cleanly at the deadline of its reader, and when its process stops', async () => {
    peers.inference.reply = () => ({ gateAfterFirst: gate().promise });
    const [first, second] = [await start(), await start()];
    const id = await admitAndQueue(first, 'a longer request');
    const short = await collect(readStream(second, id, { timeoutMs: 1_500 }));
    expect(toTypes(short).slice(0, 2)).toEqual(START.slice(0, 2));
    const { events, end } = watch(second, id);
    await until(() => events.length > 0);
    await second.stop();
    await end;
    expectGapless(events);
  });

  it('ends with the response when it fails or is canceled, in every process', async () => {
    peers.inference.reply = ({ prompt }) =>
      prompt === 'refused' ? { error: new AppError('VALIDATION_ERROR', 'no') } : { gateAfterFirst: gate().promise };
    const [first, second] = [await start(), await start()];
    const refused = await collect(readStream(second, await admitAndQueue(first, 'refused')));
    expect(toTypes(refused)).toEqual([...START.slice(0, 2), 'response.failed']);
    const id = await admitAndQueue(first, 'a longer request');
    const readers = [watch(first, id), watch(second, id)];
    await until(() => readers.every(({ events }) => events.length === 5));
    await cancelQueued(second, id);
    for (const { end } of readers) {
      const events = await end;
      expectGapless(events);
      expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: { status: 'cancelled' } });
    }
  });

  it('ends with an error when its response is deleted, and leaves no events', async () => {
    peers.inference.reply = () => ({ gateAfterFirst: gate().promise });
    const [first, second] = [await start(), await start()];
    const id = await admitAndQueue(first, 'a longer request');
    const { events, end } = watch(second, id);
    const ended = expect(end).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await until(() => events.length === 5);
    const request = { id: toBackgroundResponseId(id) };
    await first.background.deleteBackgroundResponse(request, callAs(customerToken()));
    await ended;
    expect(await countStored()).toBe(0);
  });

  it('leaves nothing when its response is discarded', async () => {
    peers.inference.reply = () => ({ gateAfterFirst: gate().promise });
    const engine = await start();
    const id = await admitAndQueue(engine, 'a longer request');
    await until(() => peers.inference.calls.length === 1);
    await engine.background.discardBackgroundResponse({ holdId: id }, callAs(customerToken()));
    await until(async () => (await countStored()) === 0);
  });

  it('answers its customer and its project alone, and only if it was asked for', async () => {
    const engine = await start();
    const id = await admitAndQueue(engine, 'a request');
    const strangers = [customerToken(randomUUID()), secretKey(OTHER_PROJECT), secretKey(undefined, randomUUID())];
    for (const principal of strangers) {
      await expect(collect(readStream(engine, id, { principal }))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await collect(readStream(engine, id, { principal: secretKey() }))).toHaveLength(8);
    const plain = await admitAndQueue(engine, 'a request', { isStreamed: false });
    await awaitQueued(engine, plain);
    await expect(collect(readStream(engine, plain))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(collect(readStream(engine, randomUUID()))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('repeats no long members of the request', async () => {
    const engine = await start();
    const instructions = 'x'.repeat(backgroundLimits.endedHeadBytes);
    const events = await collect(readStream(engine, await admitAndQueue(engine, 'a request', { instructions })));
    expect(events[0]!.response).toMatchObject({ status: 'queued', instructions: null });
  });
});

describe('a crash in the middle of a stream', () => {
  it('continues with further numbers and items, and the customer pays once', async () => {
    const link = await cuttableLink(database.url);
    const { promise, open } = gate();
    peers.inference.reply = () => (peers.inference.calls.length === 1 ? { gateAfterFirst: promise } : {});
    const first = await peers.engine({ url: link.url, work, sandboxProvider: true });
    const id = await admitAndQueue(first, 'the only request');
    const second = await start();
    const { events, end } = watch(second, id);
    await until(() => events.length === 5);
    link.cut();
    expectGapless(await end);
    const item = { type: 'message', status: 'incomplete' };
    expect(events[5]).toMatchObject({ type: 'response.output_item.done', output_index: 0, item });
    expect(events[6]).toMatchObject({ type: 'response.output_item.added', output_index: 1 });
    expect(toText(events.slice(6))).toBe('the only request');
    expect(events.filter(({ output_index: index }) => index === 0)).toHaveLength(3);
    expect(toTypes(events).filter((type) => type === 'response.in_progress')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { id: toBackgroundResponseId(id) } });
    // The lost process returns, and its call continues.
    link.mend();
    open();
    await until(() => peers.billing.open.size === 0);
    expect(await collect(readStream(second, id))).toEqual(events);
    expect([...peers.billing.superseded]).toEqual([id]);
    expect(peers.billing.customerMicrocents()).toBe(cost('the only request'));
    await first.stop().catch(() => undefined);
    await link.close();
  });

  it.each(Array.from({ length: 10 }, (_, i) => [3 + i * 2, i % 2 === 0 ? 'before' : 'after'] as const))(
    'keeps the stream valid when an engine is lost at message %i, %s it takes effect',
    async (message, mode) => {
      const link = await cuttableLink(database.url);
      const first = await peers.engine({ url: link.url, work, sandboxProvider: true });
      const second = await start();
      link.cutAt(message, mode);
      const ids = await Promise.all(['one request', 'two request'].map((prompt) => admitAndQueue(second, prompt)));
      for (const id of ids) {
        const events = await collect(readStream(second, id));
        expectGapless(events);
        expect(toTypes(events).slice(0, 2)).toEqual(START.slice(0, 2));
        expect(toTypes(events).filter((type) => type === 'response.completed')).toEqual(['response.completed']);
        expect(events.at(-1)!.type).toBe('response.completed');
      }
      expect(peers.billing.customerMicrocents()).toBe(cost('one request') + cost('two request'));
      link.cut();
      await first.stop().catch(() => undefined);
      await link.close();
    },
  );
});
