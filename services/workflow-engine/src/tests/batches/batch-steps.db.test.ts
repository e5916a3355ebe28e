import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tollgate/runtime';
import { toFileId } from '../../domain/batches/batch-ids.js';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { BatchSteps } from '../../execution/batches/batch-pool.js';
import {
  awaitBatch,
  getBatch,
  readAnswers,
  startBatch,
  startBatchFrom,
  writeInput,
} from '../../testing/batch-client.js';
import { callAs, customerToken, secretKey } from '../../testing/engine-fixture.js';
import { until } from '../../testing/run-client.js';
import { usePeers } from '../../testing/use-engine.js';

const work = { leaseMs: 500, heartbeatMs: 120, pollMs: 60, drainMs: 20 };

const { database, peers } = usePeers(import.meta.url);

const start = () => peers.engine({ work, sandboxProvider: true });
const tenant = () => ({ ...customerToken(randomUUID()), accountId: randomUUID() });

/** Makes the database refuse a write. */
async function refuse(table: string, condition: string, sqlState: string): Promise<() => Promise<void>> {
  const drop = () => database.pool.query('DROP FUNCTION IF EXISTS refuse_write CASCADE').then(() => undefined);
  await drop();
  await database.pool.query(`
    CREATE FUNCTION refuse_write() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${sqlState}'; END $$;
    CREATE TRIGGER refuse_write BEFORE INSERT ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION refuse_write()`);
  return drop;
}

describe('a step that fails', () => {
  it('fails the batch that is validated, and delays no other', async () => {
    const accept = await refuse('batch_lines', `NEW.custom_id = 'poison'`, 'P0001');
    const engine = await start();
    const [bad, good] = [tenant(), tenant()];
    const failing = await startBatch(engine, ['poison'], bad);
    const later = await startBatch(engine, ['fine'], good);
    expect((await awaitBatch(engine, later, good)).status).toBe('completed');
    const batch = await awaitBatch(engine, failing, bad);
    expect(batch).toMatchObject({ status: 'failed', errors: { data: [{ code: 'internal_error', line: null }] } });
    await accept();
  });

  it('runs again later when the failure is transient, and delays no other', async () => {
    const accept = await refuse('batch_lines', `NEW.custom_id = 'contended'`, '40001');
    const engine = await start();
    const [first, second] = [tenant(), tenant()];
    const contended = await startBatch(engine, ['contended'], first);
    const later = await startBatch(engine, ['fine'], second);
    expect((await awaitBatch(engine, later, second)).status).toBe('completed');
    expect((await getBatch(engine, contended, first)).status).toBe('validating');
    await accept();
    expect((await awaitBatch(engine, contended, first)).status).toBe('completed');
  });

  it('keeps the answers when their files cannot be written, and delays no other', async () => {
    const accept = await refuse('files', `NEW.filename LIKE '%_output.jsonl'`, 'P0001');
    const engine = await start();
    const [first, second] = [tenant(), tenant()];
    const id = await startBatch(engine, ['answered'], first);
    await until(async () => (await getBatch(engine, id, first)).request_counts.completed === 1);
    const later = await startBatchFrom(
      engine,
      writeInput(['refused']).replace('"messages"', '"stream":true,"messages"'),
      second,
    );
    expect((await awaitBatch(engine, later, second)).status).toBe('completed');
    expect((await getBatch(engine, id, first)).status).toBe('finalizing');
    await accept();
    await database.pool.query("UPDATE batches SET step_due_at = now() - interval '1 s' WHERE step_due_at > now()");
    const batch = await awaitBatch(engine, id, first);
    expect(await readAnswers(engine, batch.output_file_id, first)).toHaveLength(1);
  });
});

describe('a line beyond the bounds of a request', () => {
  it('fails its batch, and delays no other', async () => {
    const engine = await start();
    const [bad, good] = [tenant(), tenant()];
    const deep = `{"model":"m","messages":${'['.repeat(8_000)}${']'.repeat(8_000)}}`;
    const input = `{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":${deep}}`;
    const failing = await startBatchFrom(engine, input, bad);
    const unnamed = await startBatchFrom(
      engine,
      writeInput(['a']).replace('"sandbox/echo-1"', '"\\u0000","stream":true'),
      bad,
    );
    const later = await startBatch(engine, ['fine'], good);
    expect((await awaitBatch(engine, later, good)).status).toBe('completed');
    expect(await awaitBatch(engine, failing, bad)).toMatchObject({
      status: 'failed',
      errors: { data: [{ code: 'invalid_json_line', line: 1 }] },
    });
    expect((await awaitBatch(engine, unnamed, bad)).request_counts).toMatchObject({ completed: 0, failed: 1 });
  });
});

describe('a list of files', () => {
  it.each(['\0', 'vision'])('has no entries for the purpose %j, which no file has', async (purpose) => {
    const engine = await start();
    await startBatch(engine, ['listed']);
    const files = async (named: string) =>
      (await engine.files.listFiles({ purpose: named, limit: 10 }, callAs(customerToken()))).files.length;
    expect(await files('batch')).toBeGreaterThan(0);
    expect(await files(purpose)).toBe(0);
  });
});

describe('a queue of steps', () => {
  it('gives each account its turn', async () => {
    const { pool } = database;
    await pool.query('DELETE FROM batches');
    const [busy, other] = [randomUUID(), randomUUID()];
    for (const [i, account] of [busy, busy, busy, other].entries()) {
      await pool.query(
        `INSERT INTO batches (batch_id, account_id, project_id, principal, endpoint, input_file_id, output_ttl_seconds, expires_at)
         VALUES ($1, $2, $2, '', '/v1/responses', $2, 0, now() + interval '1 h')`,
        [`00000000-0000-4000-8000-00000000000${i}`, account],
      );
    }
    const steps = new BatchSteps(pool, silentLogger);
    for (let i = 0; i < 2; i++) await steps.advance();
    const { rows } = await pool.query<{ account_id: string }>(
      'SELECT account_id FROM batches WHERE ended_at IS NOT NULL ORDER BY batch_id',
    );
    expect(rows.map((row) => row.account_id)).toEqual([busy, other]);
  });
});

describe('a project', () => {
  it('keeps within its bound of unfinished batches when many are created at once', async () => {
    const accept = await refuse('batch_lines', 'true', '40001');
    const engine = await start();
    const { projectId } = secretKey();
    const { pool } = database;
    await pool.query('UPDATE batches SET ended_at = now() WHERE ended_at IS NULL');
    await startBatch(engine, ['a'], secretKey());
    const count = async () => {
      const text =
        'SELECT input_file_id, count(*) OVER ()::int AS n FROM batches WHERE project_id = $1 AND ended_at IS NULL';
      return (await pool.query<{ input_file_id: string; n: number }>(text, [projectId])).rows[0]!;
    };
    await pool.query(
      `INSERT INTO batches (batch_id, account_id, project_id, principal, endpoint, input_file_id, output_ttl_seconds, expires_at, validation,
                            validation_due_at)
       SELECT gen_random_uuid(), account_id, project_id, principal, endpoint, input_file_id, 0, expires_at, '{}', now() + interval '1 h'
       FROM batches, generate_series(3, $2::int) WHERE project_id = $1 AND ended_at IS NULL`,
      [projectId, batchLimits.projectBatches],
    );
    const { input_file_id: fileId, n } = await count();
    expect(n).toBe(batchLimits.projectBatches - 1);
    const input = { inputFileId: toFileId(fileId), endpoint: '/v1/chat/completions' };
    const created = await Promise.allSettled(
      Array.from({ length: 20 }, () => engine.batches.createBatch(input, callAs(secretKey()))),
    );
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await count()).n).toBe(batchLimits.projectBatches);
    await pool.query('UPDATE batches SET ended_at = now() WHERE ended_at IS NULL');
    await accept();
  });
});

describe('a customer', () => {
  it('has its own bound of unfinished batches', async () => {
    const accept = await refuse('batch_lines', 'true', '40001');
    const engine = await start();
    const [one, another] = [customerToken(randomUUID()), customerToken(randomUUID())];
    for (let i = 0; i < batchLimits.customerBatches; i++) await startBatch(engine, ['a'], one);
    await expect(startBatch(engine, ['a'], one)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(startBatch(engine, ['a'], another)).resolves.toBeDefined();
    await accept();
  });
});
