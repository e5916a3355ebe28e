import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { newOrderedId } from '@tollgate/runtime';
import type { Context } from '../../context.js';
import { toFileId } from '../../domain/batches/batch-ids.js';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { appendPart, completeFile as completeRow, insertFile, type StoredFile } from '../../store/batches/files.js';
import { batchOwner, noFile, readFileId } from './batch-owner.js';

type Parts = Pick<Context, 'pool' | 'clock'>;

/** Starts an upload. @throws AppError CONFLICT when the project stores too much */
export async function beginFile({ pool, clock }: Parts, principal: Principal): Promise<{ id: string }> {
  const { projectId } = batchOwner(principal);
  const fileId = newOrderedId(clock.now().getTime());
  const file = {
    fileId,
    accountId: principal.accountId,
    projectId,
    customerId: principal.customerId || null,
    purpose: 'batch' as const,
    filename: '',
    ttlMs: batchLimits.uploadMs,
  };
  const { projectFiles, projectBytes } = batchLimits;
  if (!(await insertFile(pool, file, { files: projectFiles, bytes: projectBytes }))) {
    const message = `the project stores ${projectFiles} files or ${projectBytes} bytes already: delete files that are not needed`;
    throw new AppError('CONFLICT', message);
  }
  return { id: toFileId(fileId) };
}

/** Stores the next part of an upload. Storing the last one again changes nothing. */
export async function appendFile(
  { pool }: Pick<Context, 'pool'>,
  principal: Principal,
  { id, part, body }: { id: string; part: number; body: Uint8Array },
): Promise<void> {
  if (body.length > batchLimits.partBytes) throw new AppError('INVALID_INPUT', 'the part of the file is too large');
  const fileId = readFileId(id);
  const isStored = await appendPart(pool, batchOwner(principal), { fileId, part, body }, batchLimits.fileBytes);
  if (!isStored) throw new AppError('INVALID_INPUT', 'the upload does not exist, or this is not its next part');
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
