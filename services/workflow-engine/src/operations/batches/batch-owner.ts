import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { fromBatchId, fromFileId } from '../../domain/batches/batch-ids.js';
import { runScope } from '../../domain/run/run-scope.js';
import type { CreationKey } from '../../store/batches/creation-keys.js';
import type { Owner } from '../../store/batches/files.js';

/** Returns the files and batches that a caller may see: the same as of runs. @throws AppError FORBIDDEN */
export function batchOwner(principal: Principal): Owner {
  return runScope(principal);
}

/** @throws AppError NOT_FOUND for text that cannot be an id */
export function readFileId(id: string): string {
  const uuid = fromFileId(id);
  if (uuid === undefined) throw noFile();
  return uuid;
}

/** @throws AppError NOT_FOUND for text that cannot be an id */
export function readBatchId(id: string): string {
  const uuid = fromBatchId(id);
  if (uuid === undefined) throw noBatch();
  return uuid;
}

/** Returns the UUID that a page starts after. @throws AppError VALIDATION_ERROR for a cursor of another kind */
export function readCursor(after: string, toUuid: (id: string) => string | undefined): string | undefined {
  if (after === '') return undefined;
  const uuid = toUuid(after);
  if (uuid !== undefined) return uuid;
  const message = 'must be an id of the page before';
  throw new AppError('VALIDATION_ERROR', `after: ${message}`, { fields: [{ field: 'after', message }] });
}

/** Returns a key in the scope of its caller: a customer, or the project. */
export function toCreationKey(kind: CreationKey['kind'], principal: Principal, key: string): CreationKey {
  return { kind, projectId: batchOwner(principal).projectId, scope: principal.customerId || 'project', key };
}

export function reusedKey(): AppError {
  return new AppError('CONFLICT', 'the Idempotency-Key was used for another request');
}

export function noFile(): AppError {
  return new AppError('NOT_FOUND', 'there is no such file', {
    vendorError: { shape: 'openai', type: 'invalid_request_error', param: 'id' },
  });
}

export function noBatch(): AppError {
  return new AppError('NOT_FOUND', 'there is no such batch', {
    vendorError: { shape: 'openai', type: 'invalid_request_error', param: 'id' },
  });
}
