import { uploadPurposes } from '@tollgate/api/compatible';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import { fromFileId } from '../../domain/batches/batch-ids.js';
import {
  deleteFile as deleteRow,
  findFile,
  listFiles as listRows,
  readPart,
  type StoredFile,
} from '../../store/batches/files.js';
import { batchOwner, noFile, readCursor, readFileId } from './batch-owner.js';

const PURPOSES: ReadonlySet<string> = new Set([...uploadPurposes, 'batch_output']);

type Parts = Pick<Context, 'pool'>;

/** @throws AppError NOT_FOUND */
export async function getFile({ pool }: Parts, principal: Principal, id: string): Promise<StoredFile> {
  const file = await findFile(pool, batchOwner(principal), readFileId(id));
  if (!file) throw noFile();
  return file;
}

export async function listFiles(
  { pool }: Parts,
  principal: Principal,
  page: { purpose: string; limit: number; after: string; isAscending: boolean },
): Promise<{ files: StoredFile[]; hasMore: boolean }> {
  // The text is the caller's, and PostgreSQL cannot read NUL.
  if (page.purpose !== '' && !PURPOSES.has(page.purpose)) return { files: [], hasMore: false };
  const after = readCursor(page.after, fromFileId);
  const files = await listRows(pool, batchOwner(principal), { ...page, after, limit: page.limit + 1 });
  return { files: files.slice(0, page.limit), hasMore: files.length > page.limit };
}

/** Deletes a file. Batches that have read it continue. @throws AppError NOT_FOUND */
export async function deleteFile({ pool }: Parts, principal: Principal, id: string): Promise<void> {
  if (!(await deleteRow(pool, batchOwner(principal), readFileId(id)))) throw noFile();
}

/** Reads a file part by part. @throws AppError NOT_FOUND, also when the file is deleted while it is read */
export async function* readFile({ pool }: Parts, principal: Principal, id: string) {
  const file = await getFile({ pool }, principal, id);
  let bytes = 0;
  for (let part = 0; bytes < file.bytes; part++) {
    const body = await readPart(pool, file.fileId, part);
    if (!body) throw new AppError('NOT_FOUND', 'the file was deleted while it was read');
    bytes += body.length;
    yield { body, isLast: bytes === file.bytes };
  }
  if (file.bytes === 0) yield { body: Buffer.alloc(0), isLast: true };
}
