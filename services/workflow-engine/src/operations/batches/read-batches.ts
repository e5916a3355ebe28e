import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import { fromBatchId } from '../../domain/batches/batch-ids.js';
import {
  type BatchRow,
  cancelBatch as cancelRow,
  findBatch,
  listBatches as listRows,
} from '../../store/batches/batches.js';
import { batchOwner, noBatch, readBatchId, readCursor } from './batch-owner.js';

/** @throws AppError NOT_FOUND */
export async function getBatch({ pool }: Pick<Context, 'pool'>, principal: Principal, id: string): Promise<BatchRow> {
  const row = await findBatch(pool, batchOwner(principal), readBatchId(id));
  if (!row) throw noBatch();
  return row;
}

export async function listBatches(
  { pool }: Pick<Context, 'pool'>,
  principal: Principal,
  page: { limit: number; after: string },
): Promise<{ rows: BatchRow[]; hasMore: boolean }> {
  const after = readCursor(page.after, fromBatchId);
  const rows = await listRows(pool, batchOwner(principal), { limit: page.limit + 1, after });
  return { rows: rows.slice(0, page.limit), hasMore: rows.length > page.limit };
}

/**
 * Cancels a batch: its lines in progress are completed, the others are not started. Canceling it again changes nothing.
 *
 * @throws AppError CONFLICT for a batch that has ended or is about to
 */
export async function cancelBatch(
  { pool, batches }: Pick<Context, 'pool' | 'batches'>,
  principal: Principal,
  id: string,
): Promise<BatchRow> {
  const canceled = await cancelRow(pool, batchOwner(principal), readBatchId(id));
  batches.wake();
  if (canceled) return canceled;
  const row = await getBatch({ pool }, principal, id);
  if (row.status === 'cancelling' || row.status === 'cancelled') return row;
  throw new AppError('CONFLICT', `Cannot cancel a batch with status '${row.status}'.`);
}
