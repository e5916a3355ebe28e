import { createHash } from 'node:crypto';
import { type BatchEndpoint, batchEndpoints } from '@tollgate/api/compatible';
import { encodeMessage } from '@tollgate/contracts/codec';
import { type Principal, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { lockUntilCommit, withTransaction } from '@tollgate/postgres';
import type { Call } from '@tollgate/rpc';
import { newOrderedId } from '@tollgate/runtime';
import type { Context } from '../../context.js';
import { fromFileId } from '../../domain/batches/batch-ids.js';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { type BatchRow, findBatch, insertBatch } from '../../store/batches/batches.js';
import { claimCreationKey } from '../../store/batches/creation-keys.js';
import { findFile, type Owner } from '../../store/batches/files.js';
import { batchOwner, reusedKey, toCreationKey } from './batch-owner.js';

export interface BatchInput {
  inputFileId: string;
  endpoint: string;
  /** JSON object of strings; empty for none. */
  metadata: string;
  /** 0 = the default. */
  outputExpiresAfterSeconds: number;
  /** Empty for none. */
  idempotencyKey: string;
}

const { projectBatches, customerBatches } = batchLimits;

/**
 * Creates a batch, which the workers validate and run as the principal. With a used idempotency key, returns the batch of that
 * request.
 *
 * @throws AppError CONFLICT for a key of another request, or too many unfinished batches
 */
export async function createBatch(
  { pool, clock, batches }: Pick<Context, 'pool' | 'clock' | 'batches'>,
  principal: Principal,
  input: BatchInput,
  { traceparent }: Pick<Call, 'traceparent'>,
): Promise<BatchRow> {
  const owner = batchOwner(principal);
  const endpoint = readEndpoint(input.endpoint);
  const batchId = newOrderedId(clock.now().getTime());
  const { idempotencyKey: key, inputFileId, metadata, outputExpiresAfterSeconds } = input;
  const request = [inputFileId, input.endpoint, metadata, outputExpiresAfterSeconds];
  const row = await withTransaction(pool, async (tx) => {
    if (key !== '') {
      const hash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
      const holder = await claimCreationKey(tx, toCreationKey('batch', principal, key), hash, batchId);
      if (holder && holder.requestHash !== hash) throw reusedKey();
      const earlier = holder && (await findBatch(tx, owner, holder.id));
      if (holder && !earlier) throw reusedKey();
      if (earlier) return earlier;
    }
    const fileId = await requireInput(tx, owner, inputFileId);
    const batch = {
      batchId,
      accountId: principal.accountId,
      projectId: owner.projectId,
      customerId: principal.customerId || null,
      principal: encodeMessage(PrincipalSchema, principal),
      traceparent,
      endpoint,
      inputFileId: fileId,
      metadata: metadata || null,
      outputTtlSeconds: outputExpiresAfterSeconds || batchLimits.fileTtlSeconds,
      windowMs: batchLimits.completionWindowMs,
    };
    await lockUntilCommit(tx, `batches/${owner.projectId}`);
    const created = await insertBatch(tx, batch, { project: projectBatches, customer: customerBatches });
    if (!created) throw tooMany();
    return created;
  });
  batches.wake();
  return row;
}

async function requireInput(tx: Parameters<typeof findFile>[0], owner: Owner, id: string): Promise<string> {
  const fileId = fromFileId(id);
  const file = fileId === undefined ? undefined : await findFile(tx, owner, fileId);
  if (!file) throw invalid('input_file_id', 'there is no such file');
  if (file.purpose !== 'batch') throw invalid('input_file_id', 'the file must be uploaded with the purpose batch');
  return file.fileId;
}

function readEndpoint(endpoint: string): BatchEndpoint {
  const known = batchEndpoints.find((each) => each === endpoint);
  if (!known) throw invalid('endpoint', `must be one of ${batchEndpoints.join(', ')}`);
  return known;
}

function invalid(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', `${field}: ${message}`, { fields: [{ field, message }] });
}

function tooMany(): AppError {
  const message = `the project has ${projectBatches} or the customer ${customerBatches} unfinished batches: wait until one has ended, or cancel one`;
  return new AppError('CONFLICT', message);
}
