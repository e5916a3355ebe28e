import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { silentLogger } from '@tollgate/runtime';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { BatchSteps } from './batch-pool.js';

const MIB = 1024 * 1024;
const { stepBytes, partBytes } = batchLimits;

let database: TestDatabase;
let accountId: string;
let steps: BatchSteps;

beforeAll(async () => {
  const migrations = new URL('../../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
});
afterAll(() => database.drop());
beforeEach(async () => {
  accountId = randomUUID();
  steps = new BatchSteps(database.pool, silentLogger);
  await database.pool.query('DELETE FROM batches');
});

const advance = () => steps.advance();

/** A request of about the size. */
function toLine(customId: string, bytes: number): string {
  const body = { model: 'm', messages: [{ role: 'user', content: 'x'.repeat(bytes) }] };
  return JSON.stringify({ custom_id: customId, method: 'POST', url: '/v1/chat/completions', body });
}

/** Stores an input file in the parts of an upload, and its batch. */
async function insertBatch(input: string, of = accountId): Promise<{ batchId: string; fileId: string }> {
  const bytes = Buffer.from(input);
  const [batchId, fileId] = [randomUUID(), randomUUID()];
  const parts = Math.ceil(bytes.length / partBytes);
  await database.pool.query(
    `INSERT INTO files (file_id, account_id, project_id, purpose, bytes, parts, is_complete, expires_at)
     VALUES ($1, $2, $2, 'batch', $3, $4, true, now() + interval '1 h')`,
    [fileId, of, bytes.length, parts],
  );
  for (let part = 0; part < parts; part++) {
    const body = bytes.subarray(part * partBytes, (part + 1) * partBytes);
    await database.pool.query('INSERT INTO file_parts VALUES ($1, $2, $3)', [fileId, part, body]);
  }
  await database.pool.query(
    `INSERT INTO batches (batch_id, account_id, project_id, principal, endpoint, input_file_id, output_ttl_seconds, expires_at)
     VALUES ($1, $2, $2, '', '/v1/chat/completions', $3, 0, now() + interval '1 h')`,
    [batchId, of, fileId],
  );
  return { batchId, fileId };
}

interface State {
  status: string;
  total: number;
  model: string | null;
  lines: number;
  errors: string | null;
}

async function readState(batchId: string): Promise<State> {
  const { rows } = await database.pool.query<State>(
    `SELECT status, total, model, errors, (SELECT count(*)::int FROM batch_lines l WHERE l.batch_id = b.batch_id) AS lines
     FROM batches b WHERE batch_id = $1`,
    [batchId],
  );
  return rows[0]!;
}

/** Takes steps until the batch is validated. Returns the number of stored lines after each step. */
async function validate(batchId: string): Promise<number[]> {
  const lines: number[] = [];
  while ((await readState(batchId)).status === 'validating') {
    expect(await advance()).toBe(true);
    lines.push((await readState(batchId)).lines);
  }
  return lines;
}

const name = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}`);
const readErrors = async (batchId: string) => JSON.parse((await readState(batchId)).errors!);

describe('a large input', () => {
  it('validates a large input in steps of bounded size, and stores each line once', async () => {
    const ids = name(28);
    const { batchId } = await insertBatch(ids.map((id) => toLine(id, 0.9 * MIB)).join('\n\n'));
    const lines = await validate(batchId);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBeLessThanOrEqual(stepBytes / (0.9 * MIB) + 1);
    expect(await readState(batchId)).toMatchObject({ status: 'in_progress', total: 28, model: 'm', lines: 28 });
    const { rows } = await database.pool.query(
      'SELECT line, custom_id FROM batch_lines WHERE batch_id = $1 ORDER BY line',
      [batchId],
    );
    expect(rows).toEqual(ids.map((id, i) => ({ line: 1 + 2 * i, custom_id: id })));
  });

  it('takes turns with the batches of other accounts', async () => {
    const large = await insertBatch(
      name(28)
        .map((id) => toLine(id, 0.9 * MIB))
        .join('\n'),
    );
    await advance();
    const small = await insertBatch(toLine('one', 10), randomUUID());
    await advance();
    expect((await readState(small.batchId)).status).toBe('in_progress');
    expect((await readState(large.batchId)).status).toBe('validating');
  });

  it('reads lines that are larger than a step', async () => {
    const { batchId } = await insertBatch([toLine('one', 11 * MIB), toLine('two', 12 * MIB)].join('\n'));
    expect(await validate(batchId)).toEqual([1, 2]);
    expect(await readState(batchId)).toMatchObject({ status: 'in_progress', total: 2 });
  });

  it('reads blank lines in steps', async () => {
    const { batchId } = await insertBatch(`${'\n'.repeat(9 * MIB)}${toLine('last', 10)}`);
    expect(await validate(batchId)).toEqual([0, 1]);
    const { rows } = await database.pool.query('SELECT line FROM batch_lines WHERE batch_id = $1', [batchId]);
    expect(rows).toEqual([{ line: 9 * MIB + 1 }]);
  });

  it('fails for a custom_id that an earlier step has stored, and keeps no line', async () => {
    const lines = name(20).map((id) => toLine(id, 0.9 * MIB));
    const { batchId } = await insertBatch([...lines, toLine('line 0', 10)].join('\n'));
    await validate(batchId);
    expect(await readState(batchId)).toMatchObject({ status: 'failed', lines: 0 });
    expect(await readErrors(batchId)).toMatchObject([{ code: 'duplicate_custom_id', line: 21 }]);
  });

  it('lists the faults of all steps', async () => {
    const lines = name(20).map((id) => toLine(id, 0.9 * MIB));
    const { batchId } = await insertBatch(['{', ...lines, '['].join('\n'));
    await validate(batchId);
    expect((await readErrors(batchId)).map(({ line }: { line: number }) => line)).toEqual([1, 22]);
  });

  it('fails when its file is deleted between two steps', async () => {
    const { batchId, fileId } = await insertBatch(
      name(20)
        .map((id) => toLine(id, 0.9 * MIB))
        .join('\n'),
    );
    await advance();
    await database.pool.query('DELETE FROM files WHERE file_id = $1', [fileId]);
    await advance();
    expect(await readState(batchId)).toMatchObject({ status: 'failed', lines: 0 });
    expect(await readErrors(batchId)).toMatchObject([{ code: 'empty_file' }]);
  });

  it('ends without lines when it is canceled between two steps', async () => {
    const { batchId } = await insertBatch(
      name(20)
        .map((id) => toLine(id, 0.9 * MIB))
        .join('\n'),
    );
    await advance();
    await database.pool.query(`UPDATE batches SET status = 'cancelling', ends_as = 'cancelled' WHERE batch_id = $1`, [
      batchId,
    ]);
    expect(await advance()).toBe(true);
    expect(await readState(batchId)).toMatchObject({ status: 'cancelled', lines: 0, total: 0 });
  });

  it('resumes after a failed step, and is left alone by the version before', async () => {
    const { batchId } = await insertBatch(
      name(20)
        .map((id) => toLine(id, 0.9 * MIB))
        .join('\n'),
    );
    await advance();
    const before = await readState(batchId);
    await database.pool.query(`
      CREATE FUNCTION refuse_line() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '40001'; END $$;
      CREATE TRIGGER refuse_line BEFORE INSERT ON batch_lines FOR EACH ROW EXECUTE FUNCTION refuse_line()`);
    await advance();
    await database.pool.query('DROP FUNCTION refuse_line CASCADE');
    expect(await readState(batchId)).toEqual(before);
    const isDueBefore = `SELECT step_due_at IS NULL OR step_due_at <= now() AS due FROM batches WHERE batch_id = $1`;
    expect((await database.pool.query(isDueBefore, [batchId])).rows).toEqual([{ due: false }]);
    await database.pool.query("UPDATE batches SET validation_due_at = now() - interval '1 s' WHERE batch_id = $1", [
      batchId,
    ]);
    await validate(batchId);
    expect(await readState(batchId)).toMatchObject({ status: 'in_progress', total: 20, lines: 20 });
    expect((await database.pool.query(isDueBefore, [batchId])).rows).toEqual([{ due: true }]);
  });
});
