import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { startCall } from '@tollgate/rpc';
import type { Pool } from '../store/database.js';
import {
  callAs,
  ECHO,
  fundOwner,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../testing/ledger-harness.js';
import { ProgressRecorder } from './progress-recorder.js';

const TTL_MS = 3_600_000;
const STREAMS = 300;

let harness: LedgerHarness;
let owner: Principal;

beforeAll(async () => {
  harness = await startLedgerHarness('progress-recorder', { env: { HOLD_TTL: '1h', HOLD_SWEEP_INTERVAL: '1h' } });
  owner = ownerPrincipal();
  await fundOwner(harness.billing, owner, 100_000_000_000n);
});
afterAll(async () => harness.stop());

async function admit(): Promise<string> {
  const holdId = randomUUID();
  const call = startCall({ principal: owner, requestId: holdId, timeoutMs: 30_000 });
  const req = { model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 90, holdId };
  expect((await harness.billing.admit(req, call)).decision.case).toBe('admitted');
  return holdId;
}

/** A recorder, and the names of the statements that it sends. */
function startRecorder() {
  const { pool } = harness.database;
  const sent: string[] = [];
  const query = (statement: { name: string }) => {
    sent.push(statement.name);
    return pool.query(statement as never);
  };
  return { recorder: new ProgressRecorder({ query } as unknown as Pool, TTL_MS), sent };
}

async function readProgress(holdId: string): Promise<[string, string]> {
  const { rows } = await harness.database.pool.query(
    'SELECT progress_input_tokens AS input, progress_output_tokens AS output FROM holds WHERE request_id = $1',
    [holdId],
  );
  return [String(rows[0].input), String(rows[0].output)];
}

describe('the progress of running requests', () => {
  it('takes a statement per batch when many streams report at once', async () => {
    const { recorder, sent } = startRecorder();
    const holdIds = await Promise.all(Array.from({ length: STREAMS }, admit));
    const reports = holdIds.map((holdId, i) => ({ holdId, inputTokens: BigInt(i), outputTokens: 2n * BigInt(i) }));
    expect(await Promise.all(reports.map((report) => recorder.record(report)))).toEqual(Array(STREAMS).fill(true));
    expect(sent).toEqual(['record_progress_together', 'record_progress_together']);
    for (const i of [0, 1, 150, STREAMS - 1]) {
      expect(await readProgress(holdIds[i] as string)).toEqual([String(i), String(2 * i)]);
    }
  });

  it('keeps its highest value, and takes several reports of one hold in one batch', async () => {
    const { recorder } = startRecorder();
    const holdId = await admit();
    const report = (tokens: bigint) => recorder.record({ holdId, inputTokens: tokens, outputTokens: tokens });
    expect(await Promise.all([report(3n), report(7n), report(5n)])).toEqual([true, true, true]);
    expect(await report(1n)).toBe(true);
    expect(await readProgress(holdId)).toEqual(['7', '7']);
  });

  it('reports holds that have ended or never existed as closed, and the others of the batch as open', async () => {
    const { recorder } = startRecorder();
    const [open, ended] = await Promise.all([admit(), admit()]);
    await harness.billing.settle({ holdId: ended, usage: { inputTokens: 1n, outputTokens: 1n } }, callAs(owner));
    const report = (holdId: string) => recorder.record({ holdId, inputTokens: 1n, outputTokens: 1n });
    expect(await Promise.all([report(ended), report(open), report(randomUUID())])).toEqual([false, true, false]);
  });

  it('takes one statement for many reports of few holds, whether they are open or have ended', async () => {
    const { recorder, sent } = startRecorder();
    const [open, ended] = await Promise.all([admit(), admit()]);
    await harness.billing.settle({ holdId: ended, usage: { inputTokens: 1n, outputTokens: 1n } }, callAs(owner));
    const report = (i: number) =>
      recorder.record({ holdId: i % 2 ? ended : open, inputTokens: BigInt(i), outputTokens: BigInt(2_000 - i) });
    const answers = await Promise.all(Array.from({ length: 2_000 }, (_, i) => report(i)));
    expect(answers).toEqual(Array.from({ length: 2_000 }, (_, i) => i % 2 === 0));
    expect(sent).toEqual(['record_progress_together']);
    expect(await readProgress(open)).toEqual(['1998', '2000']);
  });

  it('waits for the locks of at most two holds at once, and for each once', async () => {
    const { recorder, sent } = startRecorder();
    const locked = await Promise.all(Array.from({ length: 6 }, admit));
    const other = await harness.database.pool.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT 1 FROM holds WHERE request_id = ANY($1::uuid[]) FOR UPDATE', [locked]);
      const report = (holdId: string) => recorder.record({ holdId, inputTokens: 4n, outputTokens: 4n });
      const late = [...locked, ...locked].map(report);
      // A second batch, after the first one has found the locks.
      expect(await report(await admit())).toBe(true);
      late.push(...locked.map(report));
      expect(await report(await admit())).toBe(true);
      expect(sent.filter((name) => name === 'record_progress')).toHaveLength(2);
      await other.query('ROLLBACK');
      expect(await Promise.all(late)).toEqual(Array(18).fill(true));
      // The two that were being waited for were reported again.
      expect(sent.filter((name) => name === 'record_progress')).toHaveLength(8);
    } finally {
      other.release();
    }
  });

  it('does not wait for a hold that another transaction has locked', async () => {
    const { recorder } = startRecorder();
    const [locked, free] = await Promise.all([admit(), admit()]);
    const other = await harness.database.pool.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT 1 FROM holds WHERE request_id = $1 FOR UPDATE', [locked]);
      const late = recorder.record({ holdId: locked, inputTokens: 4n, outputTokens: 4n });
      expect(await recorder.record({ holdId: free, inputTokens: 5n, outputTokens: 5n })).toBe(true);
      await other.query('ROLLBACK');
      expect(await late).toBe(true);
      expect(await readProgress(locked)).toEqual(['4', '4']);
    } finally {
      other.release();
    }
  });

  it('rejects an id that is no UUID', async () => {
    const usage = { inputTokens: 1n, outputTokens: 1n };
    const refused = harness.billing.recordProgress({ holdId: 'x,y', usage }, callAs(owner));
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
