import { toBinary } from '@bufbuild/protobuf';
import { fromBackgroundResponseId } from '@tollgate/api/compatible';
import { type Principal, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type { Call } from '@tollgate/rpc';
import { isUuid } from '@tollgate/runtime/uuid';
import { release } from '@tollgate/spending';
import { type DiscardClients, discardAnswer } from '../../clients/discard-answer.js';
import type { Context } from '../../context.js';
import { toBackgroundResponse, toEndedHead } from '../../domain/background/background-answer.js';
import { backgroundHoldId } from '../../domain/background/background-ids.js';
import { backgroundLimits } from '../../domain/background/background-limits.js';
import type { BackgroundOptions } from '../../domain/background/background-options.js';
import { parseLargeJson } from '../../execution/requests/parse-large-json.js';
import {
  type BackgroundOwner,
  type BackgroundRow,
  cancelBackground,
  deleteBackground,
  emptyBackground,
  findBackground,
  forbidBackground,
  insertBackground,
  isWithinLimits,
  lockInsertions,
  type NewBackgroundResponse,
  pruneBackground,
} from '../../store/background/background-responses.js';

export interface BackgroundInput {
  holdId: string;
  /** How long the hold lives after a report of progress; undefined if the caller does not know. */
  holdTtlMs: number | undefined;
  /** JSON of the request. */
  body: string;
  /** JSON of the members that are known before the response runs. */
  head: string;
  options: BackgroundOptions;
}

type Parts = Pick<Context, 'pool' | 'background' | 'ledger'>;
type CreatingParts = Pick<Context, 'pool' | 'background' | 'insertions' | 'jsonThread'>;
type EndingParts = Parts & { clients: DiscardClients };

const DISCARD_TIMEOUT_MS = 10_000;
/** Of a ledger with default settings. */
const HOLD_TTL_MS = 60_000;
/** Ended responses that one creation removes at most. */
const PRUNED_MAX = 100;

/**
 * Stores a request, which a worker runs as the principal. The same hold again returns the response of the earlier request.
 *
 * @throws AppError RATE_LIMIT when the project or its customer has too many unfinished responses
 */
export async function createBackground(
  { pool, background, insertions, jsonThread }: CreatingParts,
  input: BackgroundInput,
  call: Call,
): Promise<string> {
  const { holdId: id, body, head, options } = input;
  if (!isUuid(id)) throw new AppError('INVALID_INPUT', 'the hold is not a UUID');
  const principal = call.requirePrincipal();
  const owner = toOwner(principal);
  const bodyBytes = Buffer.byteLength(body);
  if (bodyBytes > backgroundLimits.requestBytes) throw new AppError('PAYLOAD_TOO_LARGE', 'the request is too large');
  const headBytes = Buffer.byteLength(head);
  const response = {
    ...owner,
    id,
    accountId: principal.accountId,
    principal: toBinary(PrincipalSchema, principal),
    traceparent: call.traceparent,
    head,
    endedHead: await shortenHead(jsonThread, head, headBytes, call),
    body,
    bytes: bodyBytes + headBytes,
    options: JSON.stringify(options),
    timeoutMs: backgroundLimits.timeoutMs,
    holdTtlMs: input.holdTtlMs ?? HOLD_TTL_MS,
  };
  const inserting = insertions.run(`background ${owner.projectId}`, () =>
    withTransaction(pool, (tx) => insertWithinLimits(tx, response, call)),
  );
  if (!inserting) throw tooMany();
  const row = await inserting;
  background.wake();
  return toBackgroundResponse(row) ?? '';
}

async function shortenHead(
  thread: Context['jsonThread'],
  head: string,
  bytes: number,
  call: Call,
): Promise<string | undefined> {
  const { endedHeadBytes } = backgroundLimits;
  if (bytes <= endedHeadBytes) return undefined;
  return toEndedHead(await parseLargeJson(thread, head, call), bytes, endedHeadBytes);
}

async function insertWithinLimits(tx: Tx, response: NewBackgroundResponse, call: Call): Promise<BackgroundRow> {
  const { id, projectId, customerId } = response;
  const owner = { projectId, customerId };
  requireCaller(call);
  const created = await insertBackground(tx, response);
  if (!created) {
    const earlier = await findBackground(tx, owner, id);
    if (earlier) return earlier;
    throw new AppError('INVALID_INPUT', 'the hold belongs to another response, or to a discarded one');
  }
  await lockInsertions(tx, projectId);
  if (!(await isWithinLimits(tx, owner, backgroundLimits))) throw tooMany();
  await pruneBackground(tx, owner, backgroundLimits, PRUNED_MAX);
  requireCaller(call);
  return created;
}

/** Its caller discards a response of whose creation it does not learn. @throws AppError RELAY_TIMEOUT */
function requireCaller(call: Call): void {
  if (call.isAborted) throw new AppError('RELAY_TIMEOUT', 'the caller has left');
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
export async function stopBackground(parts: EndingParts, id: string, call: Call): Promise<string | undefined> {
  const owner = toOwner(call.requirePrincipal());
  const uuid = readId(id);
  const row = (await cancelRow(parts, owner, uuid, call)) ?? (await findBackground(parts.pool, owner, uuid));
  if (!row) throw notFound();
  // Also of a repeat: the first cancel may have failed here.
  if (row.status === 'cancelled') await discardAnswers(parts, row, call);
  return toBackgroundResponse(row);
}

/** Stops a response if it has not ended, and deletes it. @throws AppError NOT_FOUND */
export async function removeBackground(parts: EndingParts, id: string, call: Call): Promise<void> {
  const owner = toOwner(call.requirePrincipal());
  const uuid = readId(id);
  await cancelRow(parts, owner, uuid, call);
  const row = await findBackground(parts.pool, owner, uuid);
  if (!row) throw notFound();
  // A complete answer is stored under the id of its response, unless the row has it.
  if (row.status !== 'completed' || row.answer !== null) await discardAnswers(parts, row, call);
  await deleteBackground(parts.pool, owner, uuid);
}

/**
 * Deletes the response of a request whose client gets another answer, and forbids a response that was not created yet. Its customer pays
 * for none of its attempts. A failure midway leaves the response canceled, so that a repeat can complete this.
 */
export async function discardBackground(
  parts: EndingParts & { clients: Pick<Context['clients'], 'holds'> },
  id: string,
  call: Call,
): Promise<void> {
  if (!isUuid(id)) throw new AppError('INVALID_INPUT', 'the hold is not a UUID');
  const principal = call.requirePrincipal();
  const owner = toOwner(principal);
  if (await forbidBackground(parts.pool, { ...owner, accountId: principal.accountId }, id)) {
    return release(parts.ledger, { holdId: id }, 'CANCELED', call);
  }
  await cancelRow(parts, owner, id, call);
  const row = await findBackground(parts.pool, owner, id);
  if (!row) return;
  await parts.clients.holds.supersedeHolds({ holdIds: toHoldIds(row) }, call.detached(DISCARD_TIMEOUT_MS));
  await discardAnswers(parts, row, call);
  await emptyBackground(parts.pool, owner, id);
}

/** Removes what attempts have stored, and forbids those that still run to store an answer after their response has ended. */
async function discardAnswers({ clients }: EndingParts, row: BackgroundRow, call: Call): Promise<void> {
  if (!row.is_dispatched && row.superseded_attempt === null) return;
  for (const holdId of toHoldIds(row)) await discardAnswer(clients, holdId, call.detached(DISCARD_TIMEOUT_MS));
}

function toHoldIds({ id, attempt }: BackgroundRow): string[] {
  return Array.from({ length: attempt }, (_, index) => backgroundHoldId(id, index + 1));
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
