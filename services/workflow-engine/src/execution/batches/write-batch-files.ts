import type { Tx } from '@tollgate/postgres';
import { newOrderedId } from '@tollgate/runtime';
import { isSuccess, toAnswerLine } from '../../domain/batches/answer-line.js';
import { lineHoldId, toBatchId } from '../../domain/batches/batch-ids.js';
import type { BatchOutcome } from '../../domain/batches/batch-json.js';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { deleteLines, readResults } from '../../store/batches/batch-lines.js';
import { type BatchRow, endBatch } from '../../store/batches/batches.js';
import { writeFile } from '../../store/batches/files.js';

/** Answers that are in memory at the same time. */
const PAGE = { lines: 500, bytes: 4 * 1024 * 1024 };

/** Writes the files of a batch that this transaction has locked and whose lines have ended, and ends the batch. */
export async function writeBatchFiles(tx: Tx, batch: BatchRow): Promise<void> {
  const { batch_id: batchId, ends_as: outcome, completed, failed, total } = batch;
  const hasErrors = failed > 0 || (outcome === 'expired' && completed < total);
  const outputFileId = completed > 0 ? await write(tx, batch, 'output') : null;
  const errorFileId = hasErrors ? await write(tx, batch, 'error') : null;
  await endBatch(tx, { batchId, outcome, outputFileId, errorFileId });
  await deleteLines(tx, batchId);
}

async function write(tx: Tx, batch: BatchRow, kind: 'output' | 'error'): Promise<string> {
  const fileId = newOrderedId();
  const file = {
    fileId,
    accountId: batch.account_id,
    projectId: batch.project_id,
    customerId: batch.customer_id,
    purpose: 'batch_output' as const,
    filename: `${toBatchId(batch.batch_id)}_${kind}.jsonl`,
    ttlMs: batch.output_ttl_seconds * 1_000,
  };
  await writeFile(tx, file, joinParts(listLines(tx, batch.batch_id, batch.ends_as, kind)));
  return fileId;
}

async function* listLines(
  tx: Tx,
  batchId: string,
  outcome: BatchOutcome,
  kind: 'output' | 'error',
): AsyncGenerator<Buffer> {
  for (let after = 0; ; ) {
    const page = await readResults(tx, batchId, after, PAGE);
    if (page.length === 0) return;
    for (const result of page) {
      const isRun = result.statusCode !== null;
      if (isSuccess(result) !== (kind === 'output')) continue;
      // Requests that a canceled batch did not start have no result.
      if (!isRun && outcome !== 'expired') continue;
      const requestId = lineHoldId(batchId, result.line, result.attempt);
      yield Buffer.from(toAnswerLine(batchId, { ...result, requestId }));
    }
    after = page.at(-1)!.line;
  }
}

async function* joinParts(lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let taken: Buffer[] = [];
  let bytes = 0;
  for await (const line of lines) {
    taken.push(line);
    bytes += line.length;
    if (bytes < batchLimits.partBytes) continue;
    yield Buffer.concat(taken, bytes);
    [taken, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(taken, bytes);
}
