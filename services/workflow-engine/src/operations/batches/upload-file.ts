import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, isAppError } from '@tollgate/errors';
import { newOrderedId } from '@tollgate/runtime';
import type { Context } from '../../context.js';
import { toFileId } from '../../domain/batches/batch-ids.js';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import {
  appendPart,
  completeFile as completeRow,
  deleteUpload,
  insertFile,
  type StoredFile,
} from '../../store/batches/files.js';
import { batchOwner, noFile, readFileId } from './batch-owner.js';
import { addWithinQuota } from './file-quota.js';

type Parts = Pick<Context, 'pool' | 'clock' | 'insertions'>;

/** Starts an upload. @throws AppError CONFLICT when the project or the customer stores too much */
export async function beginFile(parts: Parts, principal: Principal): Promise<{ id: string }> {
  const { projectId } = batchOwner(principal);
  const fileId = newOrderedId(parts.clock.now().getTime());
  const file = {
    fileId,
    accountId: principal.accountId,
    projectId,
    customerId: principal.customerId || null,
    purpose: 'batch' as const,
    filename: '',
    ttlMs: batchLimits.uploadMs,
  };
  await addWithinQuota(parts, projectId, async (tx) => {
    await insertFile(tx, file);
    return file;
  });
  return { id: toFileId(fileId) };
}

/**
 * Stores the next part of an upload. Storing the last one again changes nothing. An upload that exceeds what the project or the
 * customer may store is deleted.
 *
 * @throws AppError CONFLICT, INVALID_INPUT, RATE_LIMIT
 */
export async function appendFile(
  parts: Pick<Context, 'pool' | 'insertions'>,
  principal: Principal,
  { id, part, body }: { id: string; part: number; body: Uint8Array },
): Promise<void> {
  if (body.length > batchLimits.partBytes) throw new AppError('INVALID_INPUT', 'the part of the file is too large');
  const owner = batchOwner(principal);
  const fileId = readFileId(id);
  try {
    await addWithinQuota(parts, owner.projectId, async (tx) => {
      const file = await appendPart(tx, owner, { fileId, part, body }, batchLimits.fileBytes);
      if (!file) throw new AppError('INVALID_INPUT', 'the upload does not exist, or this is not its next part');
      return file;
    });
  } catch (error) {
    if (isAppError(error) && error.code === 'CONFLICT') await deleteUpload(parts.pool, owner, fileId);
    throw error;
  }
}

export async function completeFile(
  { pool }: Pick<Context, 'pool'>,
  principal: Principal,
  file: { id: string; purpose: string; filename: string; parts: number; expiresAfterSeconds: number },
): Promise<StoredFile> {
  const fileId = readFileId(file.id);
  const ttlMs = (file.expiresAfterSeconds || batchLimits.fileTtlSeconds) * 1_000;
  const stored = await completeRow(pool, batchOwner(principal), { ...file, fileId, ttlMs });
  if (!stored) throw noFile();
  return stored;
}
