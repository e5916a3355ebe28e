import { createHash } from 'node:crypto';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, isAppError } from '@tollgate/errors';
import { type Tx, withTransaction } from '@tollgate/postgres';
import { newOrderedId } from '@tollgate/runtime';
import type { Context } from '../../context.js';
import { toFileId } from '../../domain/batches/batch-ids.js';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { claimCreationKey } from '../../store/batches/creation-keys.js';
import {
  appendPart,
  completeFile as completeRow,
  deleteUpload,
  findFile,
  insertFile,
  type Owner,
  type StoredFile,
} from '../../store/batches/files.js';
import { batchOwner, noFile, readFileId, reusedKey, toCreationKey } from './batch-owner.js';
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

export interface CompleteInput {
  id: string;
  purpose: string;
  filename: string;
  parts: number;
  expiresAfterSeconds: number;
  /** Empty for none. */
  idempotencyKey: string;
  /** SHA-256 of the bytes, for the comparison with what the key was used for. */
  contentSha256: string;
}

/**
 * Ends an upload. With a used idempotency key, deletes the upload and returns the file of the same request.
 *
 * @throws AppError CONFLICT for a key of another request, or of a file that has been deleted
 */
export async function completeFile(
  { pool }: Pick<Context, 'pool'>,
  principal: Principal,
  input: CompleteInput,
): Promise<StoredFile> {
  const owner = batchOwner(principal);
  const fileId = readFileId(input.id);
  const ttlMs = (input.expiresAfterSeconds || batchLimits.fileTtlSeconds) * 1_000;
  const file = { ...input, fileId, ttlMs };
  const stored = await withTransaction(pool, async (tx) => {
    if (input.idempotencyKey === '') return complete(tx, owner, file);
    const { contentSha256, purpose, filename, expiresAfterSeconds, idempotencyKey } = input;
    const request = JSON.stringify([contentSha256, purpose, filename, expiresAfterSeconds]);
    const hash = createHash('sha256').update(request).digest('hex');
    const holder = await claimCreationKey(tx, toCreationKey('file', principal, idempotencyKey), hash, fileId);
    // An upload that is completed again holds its key itself.
    if (!holder || holder.id === fileId) return complete(tx, owner, file);
    await deleteUpload(tx, owner, fileId);
    const earlier = holder.requestHash === hash ? await findFile(tx, owner, holder.id) : undefined;
    return earlier ?? 'reused';
  });
  if (stored === 'reused') throw reusedKey();
  return stored;
}

/** @throws AppError NOT_FOUND, which gives the key back */
async function complete(tx: Tx, owner: Owner, file: Parameters<typeof completeRow>[2]): Promise<StoredFile> {
  const stored = await completeRow(tx, owner, file);
  if (!stored) throw noFile();
  return stored;
}
