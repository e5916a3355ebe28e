import { type FileObject, uploadPurposes } from '@tollgate/api/compatible';
import type { File } from '@tollgate/contracts/workflow/v1/batches_pb.js';
import { AppError } from '@tollgate/errors';

/** Returns a file in the vendor's shape. */
export function fileJson(file: File | undefined): FileObject {
  if (!file) throw new AppError('INTERNAL_ERROR', 'internal error');
  return {
    id: file.id,
    object: 'file',
    bytes: Number(file.bytes),
    created_at: Number(file.createdAt),
    expires_at: Number(file.expiresAt),
    filename: file.filename,
    purpose: uploadPurposes.find((purpose) => purpose === file.purpose) ?? 'batch_output',
    status: 'processed',
  };
}

/** Returns a page of records in the vendor's shape. */
export function pageJson<Item extends { id: string }>(data: Item[], hasMore: boolean) {
  return {
    object: 'list' as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}
