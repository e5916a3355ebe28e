import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { toBackgroundResponseId } from '@tollgate/api/compatible';
import { AppError } from '@tollgate/errors';
import { backgroundLimits } from '../../domain/background/background-request.js';
import { awaitQueued, cancelQueued, queue, readQueued } from '../../testing/background-client.js';
import { cuttableLink } from '../../testing/cuttable-link.js';
import { callAs, customerToken, OTHER_PROJECT, secretKey, type TestEngine } from '../../testing/engine-fixture.js';
import { INPUT_PRICE, OUTPUT_PRICE } from '../../testing/fake-billing.js';
import { countTokens } from '../../testing/fake-inference.js';
import { gate, until } from '../../testing/run-client.js';
import { usePeers } from '../../testing/use-engine.js';

const work = { leaseMs: 500, heartbeatMs: 120, pollMs: 60, drainMs: 20 };

const { database, peers } = usePeers(import.meta.url);

beforeEach(async () => {
  await database.pool.query('DELETE FROM background_responses');
});

const start = () => peers.engine({ work, sandboxProvider: true });
const cost = (prompt: string) => BigInt(countTokens(prompt)) * (INPUT_PRICE + OUTPUT_PRICE);

/** Queues a request whose funds the edge has held. */
async function admitAndQueue(engine: TestEngine, prompt: string, options: Parameters<typeof queue>[2] = {}) {
  const { holdId = randomUUID() } = options;
  peers.billing.open.add(holdId);
  return queue(engine, prompt, { ...options, holdId });
}

describe('a crash', () => {
  it.each(Array.from({ length: 12 }, (_, i) => [1 + i * 2, i % 2 === 0 ? 'before' : 'after'] as const))(
    'completes and charges a response once when an engine is lost at message %i, %s it takes effect',
    async (message, mode) => {
      const link = await cuttableLink(database.url);
      const first = await peers.engine({ url: link.url, work, sandboxProvider: true });
      const second = await start();
      link.cutAt(message, mode);
      const ids = await Promise.all(['one request', 'two request'].map((prompt) => admitAndQueue(second, prompt)));
      for (const id of ids) expect(await awaitQueued(second, id)).toBe('stored');
      expect(peers.billing.customerMicrocents()).toBe(cost('one request') + cost('two request'));
      link.cut();
      await first.stop().catch(() => undefined);
      await link.close();
    },
  );

  it('supersedes and discards the attempt of a process that never returns', async () => {
    const link = await cuttableLink(database.url);
    const { promise, open } = gate();
    let calls = 0;
    peers.inference.reply = () => {
      calls += 1;
      return calls === 1 ? { gate: promise } : {};
    };
    const first = await peers.engine({ url: link.url, work, sandboxProvider: true });
    const id = await admitAndQueue(first, 'the only request');
    await until(() => calls === 1);
    link.cut();
    const second = await start();
    expect(await awaitQueued(second, id)).toBe('stored');
    open();
    expect(calls).toBe(2);
    expect([...peers.billing.superseded]).toEqual([id]);
    expect(peers.inference.discarded).toEqual([id]);
    await first.stop().catch(() => undefined);
    await link.close();
    await until(() => peers.billing.open.size === 0);
    expect(peers.billing.customerMicrocents()).toBe(cost('the only request'));
  });

  it('returns the responses of a process that stops to the queue', async () => {
    const { promise, open } = gate();
    let calls = 0;
    peers.inference.reply = () => {
      calls += 1;
      return calls === 1 ? { gate: promise } : {};
    };
    const first = await start();
    const id = await admitAndQueue(first, 'the only request');
    await until(() => calls === 1);
    await first.stop();
    open();
    const second = await start();
    expect(await awaitQueued(second, id)).toBe('stored');
    expect(peers.billing.customerMicrocents()).toBe(cost('the only request'));
  });
});

describe('a response', () => {
  it('queues a response, runs it and stores it under its own id', async () => {
    const { promise, open } = gate();
    peers.inference.reply = () => ({ gate: promise });
    const engine = await start();
    const id = await admitAndQueue(engine, 'a request');
    await until(async () => (await readQueued(engine, id))?.status === 'in_progress');
    expect(await readQueued(engine, id)).toMatchObject({ output: [], usage: null, error: null });
    open();
    expect(await awaitQueued(engine, id)).toBe('stored');
    const [call] = peers.inference.calls;
    expect(call?.request).toMatchObject({ holdId: id, storage: { backgroundId: toBackgroundResponseId(id) } });
    expect(call?.request.stream).toBe(false);
  });

  it('keeps a response whose answer could not be stored', async () => {
    peers.inference.reply = () => ({ isUnstored: true });
    const engine = await start();
    const id = await admitAndQueue(engine, 'a request');
    await awaitQueued(engine, id);
    expect(await readQueued(engine, id)).toMatchObject({
      id: toBackgroundResponseId(id),
      background: true,
      output: [{ content: 'a request' }],
    });
  });

  it('queues a request once under one hold', async () => {
    const engine = await start();
    const id = await admitAndQueue(engine, 'a request');
    await queue(engine, 'a request', { holdId: id });
    await awaitQueued(engine, id);
    expect(peers.inference.calls).toHaveLength(1);
  });

  it('names what its provider refuses, and tries again what it fails for a time', async () => {
    const failures = new Map([
      ['busy', new AppError('PROVIDER_ERROR', 'too many requests', { retryable: true })],
      ['refused', new AppError('VALIDATION_ERROR', 'no')],
    ]);
    peers.inference.reply = ({ prompt }) => {
      const error = failures.get(prompt);
      if (prompt === 'busy') failures.delete(prompt);
      return error ? { error } : {};
    };
    const engine = await start();
    const [busy, refused] = await Promise.all(['busy', 'refused'].map((prompt) => admitAndQueue(engine, prompt)));
    expect(await awaitQueued(engine, busy!)).toBe('stored');
    expect(await awaitQueued(engine, refused!)).toBe('failed');
    expect((await readQueued(engine, refused!))?.error).toEqual({ code: 'invalid_prompt', message: 'no' });
  });

  it('admits a response again when its hold has ended, and fails it when that is refused', async () => {
    peers.billing.decide = () => ({ code: 'PAYMENT_REQUIRED', message: 'no money' });
    const engine = await start();
    const id = await queue(engine, 'a request');
    expect(await awaitQueued(engine, id)).toBe('failed');
    expect(peers.inference.calls).toHaveLength(0);
    peers.billing.decide = () => undefined;
    const expired = randomUUID();
    peers.billing.expire(expired);
    await queue(engine, 'a request', { holdId: expired });
    expect(await awaitQueued(engine, expired)).toBe('stored');
    expect(peers.billing.customerMicrocents()).toBe(cost('a request'));
  });

  it('fails at its deadline, and its customer pays for no lost attempt', async () => {
    const { promise, open } = gate();
    peers.inference.reply = () => ({ gate: promise });
    const first = await start();
    const id = await admitAndQueue(first, 'a request');
    await until(() => peers.inference.calls.length === 1);
    await first.stop();
    open();
    await database.pool.query(`UPDATE background_responses SET expires_at = now() - interval '1 s'`);
    const second = await start();
    expect(await awaitQueued(second, id)).toBe('failed');
    expect((await readQueued(second, id))?.error?.message).toMatch(/in time/);
    expect(peers.inference.calls).toHaveLength(1);
    expect(peers.billing.customerMicrocents()).toBe(0n);
  });

  it('shows a response to its customer and its project alone', async () => {
    const engine = await start();
    const id = await admitAndQueue(engine, 'a request');
    await awaitQueued(engine, id, secretKey());
    const strangers = [customerToken(randomUUID()), secretKey(OTHER_PROJECT), secretKey(undefined, randomUUID())];
    for (const stranger of strangers) {
      await expect(readQueued(engine, id, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(cancelQueued(engine, id, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      const request = { id: toBackgroundResponseId(id) };
      await expect(engine.background.deleteBackgroundResponse(request, callAs(stranger))).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
      await engine.background.discardBackgroundResponse({ holdId: id }, callAs(stranger));
    }
    expect(await awaitQueued(engine, id)).toBe('stored');
  });
});

describe('a cancel', () => {
  it('aborts the call in whichever process makes it, and charges what was served', async () => {
    const { promise } = gate();
    peers.inference.reply = () => ({ gateAfterFirst: promise });
    const [first, second] = [await start(), await start()];
    const id = await admitAndQueue(first, 'a longer request');
    await until(() => peers.inference.calls.length === 1);
    expect(await cancelQueued(second, id)).toMatchObject({ status: 'cancelled', output: [] });
    expect(await cancelQueued(first, id)).toMatchObject({ status: 'cancelled' });
    await until(() => peers.inference.calls[0]!.isAborted && peers.billing.open.size === 0);
    expect(peers.billing.superseded.size).toBe(0);
    expect(peers.billing.customerMicrocents()).toBe(
      BigInt(countTokens('a longer request')) * INPUT_PRICE + OUTPUT_PRICE,
    );
    expect(peers.inference.calls).toHaveLength(1);
  });

  it('releases the hold of a response that was not dispatched', async () => {
    peers.billing.decide = () => new AppError('SERVICE_UNAVAILABLE', 'not now');
    const engine = await start();
    const id = await admitAndQueue(engine, 'a request');
    await cancelQueued(engine, id);
    expect(peers.billing.released.has(id)).toBe(true);
    expect(peers.inference.calls).toHaveLength(0);
  });

  it('leaves a complete response as it is', async () => {
    const engine = await start();
    const id = await admitAndQueue(engine, 'a request');
    await awaitQueued(engine, id);
    expect(await cancelQueued(engine, id)).toBeUndefined();
  });
});

it('discards a response with all attempts, so that its customer pays for none', async () => {
  peers.inference.reply = () => ({ gateAfterFirst: gate().promise });
  const engine = await start();
  const id = await admitAndQueue(engine, 'a request');
  await until(() => peers.inference.calls.length === 1);
  for (let i = 0; i < 2; i++)
    await engine.background.discardBackgroundResponse({ holdId: id }, callAs(customerToken()));
  await until(() => peers.billing.open.size === 0);
  expect(peers.billing.customerMicrocents()).toBe(0n);
  expect(peers.inference.discarded).toEqual([id]);
  await expect(readQueued(engine, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

describe('the limits', () => {
  it('keeps the unfinished responses of a customer within their number, without ended ones', async () => {
    peers.billing.decide = () => new AppError('SERVICE_UNAVAILABLE', 'not now');
    const engine = await start();
    const { customerResponses } = backgroundLimits;
    const asked = Array.from({ length: customerResponses + 5 }, () => queue(engine, 'a request'));
    const settled = await Promise.allSettled(asked);
    const accepted = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(accepted).toHaveLength(customerResponses);
    const refused = settled.find((each) => each.status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason).toMatchObject({ code: 'RATE_LIMIT', retryable: true });
    await queue(engine, 'a request', { principal: customerToken(randomUUID()) });
    await cancelQueued(engine, accepted[0]!);
    await queue(engine, 'a request');
    await expect(queue(engine, 'a request')).rejects.toMatchObject({ code: 'RATE_LIMIT' });
  });

  it('keeps the bytes of the unfinished responses of a customer within their bound', async () => {
    peers.billing.decide = () => new AppError('SERVICE_UNAVAILABLE', 'not now');
    const engine = await start();
    const { customerBytes } = backgroundLimits;
    const id = await queue(engine, 'a request');
    const bytes = customerBytes - 1024 * 1024;
    await database.pool.query('UPDATE background_responses SET bytes = $2 WHERE id = $1', [id, bytes]);
    await queue(engine, 'x'.repeat(500_000));
    await expect(queue(engine, 'x'.repeat(2_000_000))).rejects.toMatchObject({ code: 'RATE_LIMIT' });
    await queue(engine, 'x'.repeat(2_000_000), { principal: customerToken(randomUUID()) });
  });

  it('writes no request beyond them', async () => {
    peers.billing.decide = () => new AppError('SERVICE_UNAVAILABLE', 'not now');
    const engine = await start();
    const id = await queue(engine, 'a request');
    const { customerBytes } = backgroundLimits;
    await database.pool.query('UPDATE background_responses SET bytes = $2 WHERE id = $1', [id, customerBytes]);
    // A sequence keeps what a transaction that is rolled back has counted.
    await database.pool.query(`
      CREATE SEQUENCE written;
      CREATE FUNCTION count_written() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('written'); RETURN NEW; END $$;
      CREATE TRIGGER count_written BEFORE INSERT ON background_responses FOR EACH ROW EXECUTE FUNCTION count_written()`);
    await expect(queue(engine, 'x'.repeat(2_000_000))).rejects.toMatchObject({ code: 'RATE_LIMIT' });
    const { rows } = await database.pool.query('SELECT is_called FROM written');
    expect(rows).toEqual([{ is_called: false }]);
    await expect(queue(engine, 'a request', { holdId: id })).resolves.toBe(id);
    await database.pool.query('DROP FUNCTION count_written CASCADE; DROP SEQUENCE written');
  });

  it('runs the responses of other customers while one runs the largest request', async () => {
    const { promise, open } = gate();
    peers.inference.reply = ({ prompt }) => (prompt === 'large' ? { gate: promise } : {});
    const engine = await start();
    const id = await admitAndQueue(engine, 'large');
    await until(() => peers.inference.calls.length === 1);
    const { requestBytes } = backgroundLimits;
    await database.pool.query('UPDATE background_responses SET bytes = $2 WHERE id = $1', [id, requestBytes]);
    const principal = customerToken(randomUUID());
    const others = ['small', 'x'.repeat(300_000)].map((prompt) => admitAndQueue(engine, prompt, { principal }));
    for (const other of await Promise.all(others)) expect(await awaitQueued(engine, other, principal)).toBe('stored');
    open();
    expect(await awaitQueued(engine, id)).toBe('stored');
  });
});
