import { toBinary } from '@bufbuild/protobuf';
import { fromBackgroundResponseId } from '@tollgate/api/compatible';
import { type Principal, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Call } from '@tollgate/rpc';
import { isUuid } from '@tollgate/runtime/uuid';
import { release } from '@tollgate/spending';
import { discardAnswer } from '../../clients/discard-answer.js';
import type { Context } from '../../context.js';
import { toBackgroundResponse } from '../../domain/background/background-answer.js';
import { backgroundHoldId } from '../../domain/background/background-ids.js';
import { backgroundLimits } from '../../domain/background/background-limits.js';
import type { BackgroundOptions } from '../../domain/background/background-options.js';
import {
  type BackgroundOwner,
  type BackgroundRow,
  cancelBackground,
  deleteBackground,
  findBackground,
  insertBackground,
  lockInsertions,
} from '../../store/background/background-responses.js';

export interface BackgroundInput {
  holdId: string;
  /** JSON of the request. */
  body: string;
  /** JSON of the members that are known before the response runs. */
  head: string;
  options: BackgroundOptions;
}

type Parts = Pick<Context, 'pool' | 'background' | 'ledger'>;

const DISCARD_TIMEOUT_MS = 10_000;

/**
 * Stores a request, which a worker runs as the principal. The same hold again returns the response of the earlier request.
 *
 * @throws AppError RATE_LIMIT when the project or its customer has too many unfinished responses
 */
export async function createBackground(
  { pool, background }: Pick<Parts, 'pool' | 'background'>,
  input: BackgroundInput,
  call: Call,
): Promise<string> {
  const { holdId: id, body, head, options } = input;
  if (!isUuid(id)) throw new AppError('INVALID_INPUT', 'the hold is not a UUID');
  const principal = call.requirePrincipal();
  const owner = toOwner(principal);
  const bytes = Buffer.byteLength(body);
  if (bytes > backgroundLimits.requestBytes) throw new AppError('PAYLOAD_TOO_LARGE', 'the request is too large');
  const row = await withTransaction(pool, async (tx) => {
    await lockInsertions(tx, owner.projectId);
    const earlier = await findBackground(tx, owner, id);
    if (earlier) return earlier;
    const response = {
      ...owner,
      id,
      accountId: principal.accountId,
      principal: toBinary(PrincipalSchema, principal),
      traceparent: call.traceparent,
      head,
      body,
      bytes,
      options: JSON.stringify(options),
      timeoutMs: backgroundLimits.timeoutMs,
    };
    const created = await insertBackground(tx, response, backgroundLimits);
    if (!created) throw tooMany();
    return created;
  });
  background.wake();
  return toBackgroundResponse(row) ?? '';
}

/** Returns the response; undefined for a complete one, which is stored elsewhere. @throws AppError NOT_FOUND */
export async function getBackground(
  { pool }: Pick<Parts, 'pool'>,
  id: string,
  call: Call,
): Promise<string | undefined> {
  const row = await findBackground(pool, toOwner(call.requirePrincipal()), readId(id));
  if (!row) throw notFound();
  return toBackgroundResponse(row);
}

/**
 * Stops a response that has not ended: its call is aborted, and what was served until then is charged.
 *
 * @throws AppError NOT_FOUND
 */
export async function stopBackground(parts: Parts, id: string, call: Call): Promise<string | undefined> {
  const canceled = await cancelRow(parts, toOwner(call.requirePrincipal()), readId(id), call);
  return canceled ? toBackgroundResponse(canceled) : getBackground(parts, id, call);
}

/** Stops a response if it has not ended, and deletes it. @throws AppError NOT_FOUND */
export async function removeBackground(parts: Parts, id: string, call: Call): Promise<void> {
  const owner = toOwner(call.requirePrincipal());
  const uuid = readId(id);
  await cancelRow(parts, owner, uuid, call);
  if (!(await deleteBackground(parts.pool, owner, uuid))) throw notFound();
}

/**
 * Deletes the response of a request whose client gets another answer. Its customer pays for none of its attempts. A failure
 * midway leaves the response canceled, so that a repeat can complete this.
 */
export async function discardBackground(
  parts: Parts & { clients: Pick<Context['clients'], 'holds' | 'storedResponses'> },
  id: string,
  call: Call,
): Promise<void> {
  if (!isUuid(id)) throw new AppError('INVALID_INPUT', 'the hold is not a UUID');
  const owner = toOwner(call.requirePrincipal());
  await cancelRow(parts, owner, id, call);
  const row = await findBackground(parts.pool, owner, id);
  if (!row) return;
  const holdIds = Array.from({ length: row.attempt }, (_, index) => backgroundHoldId(id, index + 1));
  await parts.clients.holds.supersedeHolds({ holdIds }, call.detached(DISCARD_TIMEOUT_MS));
  for (const holdId of holdIds) await discardAnswer(parts.clients, holdId, call.detached(DISCARD_TIMEOUT_MS));
  await deleteBackground(parts.pool, owner, id);
}

async function cancelRow(
  { pool, background, ledger }: Parts,
  owner: BackgroundOwner,
  id: string,
  call: Call,
): Promise<BackgroundRow | undefined> {
  const canceled = await cancelBackground(pool, owner, id);
  if (!canceled) return undefined;
  background.abort(id);
  // Another process notices at its next heartbeat that its lease has ended.
  if (!canceled.is_dispatched) {
    await release(ledger, { holdId: backgroundHoldId(id, canceled.attempt) }, 'CANCELED', call);
  }
  return canceled;
}

/** A customer sees its own responses, and so does a key that acts for it; a project sees all of its responses. */
function toOwner({ projectId, customerId }: Principal): BackgroundOwner {
  return { projectId, customerId: customerId || null };
}

function readId(id: string): string {
  const uuid = fromBackgroundResponseId(id);
  if (uuid === undefined) throw notFound();
  return uuid;
}

function notFound(): AppError {
  return new AppError('NOT_FOUND', 'response not found: it does not exist, or is not visible to this caller', {
    vendorError: { shape: 'openai', type: 'invalid_request_error' },
  });
}

function tooMany(): AppError {
  const { projectResponses, customerResponses, projectBytes, customerBytes } = backgroundLimits;
  const message = `too many unfinished background responses: a project may have ${projectResponses} with ${projectBytes} bytes, each customer ${customerResponses} with ${customerBytes} bytes; wait until one has ended, or cancel one`;
  return new AppError('RATE_LIMIT', message, { retryable: true });
}
