import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { awaitBatch, cancelBatch, getBatch, readAnswers, startBatch } from '../../testing/batch-client.js';
import { cuttableLink } from '../../testing/cuttable-link.js';
import { customerToken, type TestEngine } from '../../testing/engine-fixture.js';
import { INPUT_PRICE, OUTPUT_PRICE } from '../../testing/fake-billing.js';
import { countTokens } from '../../testing/fake-inference.js';
import { gate, until } from '../../testing/run-client.js';
import { usePeers } from '../../testing/use-engine.js';

const work = { leaseMs: 500, heartbeatMs: 120, pollMs: 60, drainMs: 20 };

const { database, peers } = usePeers(import.meta.url);

const start = () => peers.engine({ work, sandboxProvider: true });
const name = (count: number) => Array.from({ length: count }, (_, i) => `request number ${i}`);

/** Returns the price of the prompts, which are answered by themselves. */
function computeCost(prompts: readonly string[]): bigint {
  return prompts.reduce((sum, prompt) => sum + BigInt(countTokens(prompt)) * (INPUT_PRICE + OUTPUT_PRICE), 0n);
}

async function expectAllAnswered(engine: TestEngine, id: string, prompts: readonly string[]): Promise<void> {
  const batch = await awaitBatch(engine, id);
  expect(batch).toMatchObject({ status: 'completed', request_counts: { total: prompts.length, failed: 0 } });
  const answers = await readAnswers(engine, batch.output_file_id);
  expect(answers.map((line) => line.custom_id)).toEqual(prompts);
  expect(answers.map((line) => line.response?.body.choices[0]?.message.content)).toEqual(prompts);
  expect(peers.billing.customerMicrocents()).toBe(computeCost(prompts));
}

describe('a crash', () => {
  /** The messages of an undisturbed batch of two lines, with those of idle polls. */
  it.each(Array.from({ length: 16 }, (_, i) => [1 + i * 4, i % 2 === 0 ? 'before' : 'after'] as const))(
    'charges each line once when an engine is lost at message %i, %s it takes effect',
    async (message, mode) => {
      const link = await cuttableLink(database.url);
      const prompts = name(3);
      const first = await peers.engine({ url: link.url, work, sandboxProvider: true });
      const second = await start();
      link.cutAt(message, mode);
      const id = await startBatch(second, prompts);
      await expectAllAnswered(second, id, prompts);
      link.cut();
      await first.stop().catch(() => undefined);
      await link.close();
    },
  );

  it('supersedes the attempt of a process that never returns', async () => {
    const link = await cuttableLink(database.url);
    const { promise, open } = gate();
    let calls = 0;
    peers.inference.reply = () => {
      calls += 1;
      return calls === 1 ? { gate: promise } : {};
    };
    const prompts = ['the only request'];
    const first = await peers.engine({ url: link.url, work, sandboxProvider: true });
    const id = await startBatch(first, prompts);
    await until(() => calls === 1);
    link.cut();
    const second = await start();
    const batch = await awaitBatch(second, id);
    open();
    expect(batch.request_counts).toEqual({ total: 1, completed: 1, failed: 0 });
    expect(calls).toBe(2);
    expect(peers.billing.superseded.size).toBe(1);
    await first.stop().catch(() => undefined);
    await link.close();
    await until(() => peers.billing.open.size === 0);
    expect(peers.billing.customerMicrocents()).toBe(computeCost(prompts));
  });

  it('lets no customer pay for a lost attempt of a batch that was canceled', async () => {
    const link = await cuttableLink(database.url);
    const { promise, open } = gate();
    peers.inference.reply = () => ({ gate: promise });
    // The batch is canceled before another process takes the line over, also on a busy machine.
    const first = await peers.engine({ url: link.url, work: { ...work, leaseMs: 5_000 }, sandboxProvider: true });
    const second = await start();
    await second.stop();
    const id = await startBatch(first, ['the only request']);
    await until(() => peers.inference.calls.length === 1);
    link.cut();
    const third = await start();
    await cancelBatch(third, id);
    const batch = await awaitBatch(third, id);
    open();
    expect(batch).toMatchObject({ status: 'cancelled', output_file_id: null, error_file_id: null });
    await first.stop().catch(() => undefined);
    await link.close();
    expect(peers.billing.customerMicrocents()).toBe(0n);
  });
});

describe('a line of one caller', () => {
  it('keeps within the bound of its caller on all processes, and does not delay those of other callers', async () => {
    const { promise, open } = gate();
    const held: string[] = [];
    peers.inference.reply = ({ prompt }) => {
      if (prompt.startsWith('other')) return {};
      held.push(prompt);
      return { gate: promise };
    };
    const [first] = await Promise.all([start(), start(), start()]);
    const id = await startBatch(first, name(60));
    await until(() => held.length >= batchLimits.callerConcurrency);
    const sameAccount = customerToken(randomUUID());
    for (const other of [sameAccount, { ...customerToken(randomUUID()), accountId: randomUUID() }]) {
      const theirs = await startBatch(first, ['other request'], other);
      expect(await awaitBatch(first, theirs, other)).toMatchObject({ request_counts: { completed: 1 } });
    }
    expect(held).toHaveLength(batchLimits.callerConcurrency);
    open();
    expect((await awaitBatch(first, id)).request_counts).toEqual({ total: 60, completed: 60, failed: 0 });
  });
});

describe('a batch', () => {
  it('expires with the answers that it has, and names the other requests', async () => {
    const { promise, open } = gate();
    let calls = 0;
    peers.inference.reply = () => {
      calls += 1;
      return calls <= 2 ? {} : { gate: promise };
    };
    const engine = await start();
    const id = await startBatch(engine, name(40));
    await until(async () => (await getBatch(engine, id)).request_counts.completed === 2);
    await database.pool.query(`UPDATE batches SET expires_at = now() - interval '1 s'`);
    await until(async () => (await getBatch(engine, id)).status === 'finalizing');
    open();
    const batch = await awaitBatch(engine, id);
    const { completed, failed } = batch.request_counts;
    expect(batch.status).toBe('expired');
    expect(completed + failed).toBe(40);
    expect(completed).toBeLessThan(40);
    expect(await readAnswers(engine, batch.output_file_id)).toHaveLength(completed);
    const late = await readAnswers(engine, batch.error_file_id);
    expect(late).toHaveLength(failed);
    expect(new Set(late.map(({ error, response }) => `${error?.code} ${response}`))).toEqual(
      new Set(['batch_expired null']),
    );
  });

  it('tries again what a provider fails for a time, and reports what it refuses', async () => {
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
    const batch = await awaitBatch(engine, await startBatch(engine, ['busy', 'refused']));
    expect(batch.request_counts).toEqual({ total: 2, completed: 1, failed: 1 });
    const [refused] = await readAnswers(engine, batch.error_file_id);
    expect(refused).toMatchObject({ custom_id: 'refused', response: { status_code: 400 } });
  });

  it('waits while the ledger is unavailable, and charges each line once', async () => {
    let asked = 0;
    peers.billing.decide = () => {
      asked += 1;
      return asked <= 4 ? new AppError('SERVICE_UNAVAILABLE', 'not now') : undefined;
    };
    const engine = await start();
    const prompts = name(2);
    await expectAllAnswered(engine, await startBatch(engine, prompts), prompts);
  });
});
