import { decodeMessage, encodeMessage } from '@tollgate/contracts/codec';
import { PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { lockUntilCommit, type Tx, withTransaction } from '@tollgate/postgres';
import { type Call, startCall } from '@tollgate/rpc';
import { isUuid } from '@tollgate/runtime/uuid';
import { release } from '@tollgate/spending';
import type { Context } from '../../context.js';
import { toBackgroundResponse, toEndedHead } from '../../domain/background/background-answer.js';
import { toFirstEvents, toLastEvent } from '../../domain/background/background-events.js';
import {
  type BackgroundOptions,
  backgroundHoldId,
  backgroundLimits,
} from '../../domain/background/background-request.js';
import type { ReaderEvent } from '../../domain/run/run-event.js';
import { parseLargeJson } from '../../execution/requests/parse-large-json.js';
import { type BackgroundDiscard, findDiscard, insertDiscard } from '../../store/background/background-discards.js';
import { insertBackgroundEvents, pruneBackgroundEvents } from '../../store/background/background-events.js';
import {
  type BackgroundOwner,
  type BackgroundRow,
  cancelBackground,
  deleteBackground,
  deleteOfCustomer,
  emptyBackground,
  findBackground,
  forbidBackground,
  insertBackground,
  isWithinLimits,
  type NewBackgroundResponse,
  pruneBackground,
} from '../../store/background/background-responses.js';
import { notFound, readId, toOwner } from './background-owner.js';
import { type DiscardParts, discardAttempts } from './discard-attempts.js';

export interface BackgroundInput {
  holdId: string;
  /** How long the hold lives after a report of progress; undefined if the caller does not know. */
  holdTtlMs: number | undefined;
  /** JSON of the request. */
  body: string;
  /** JSON of the members that are known before the response runs. */
  head: string;
  options: BackgroundOptions;
  isStreamed: boolean;
}

type Parts = Pick<Context, 'pool' | 'background' | 'ledger' | 'wakeUps'>;
type CreatingParts = Pick<Context, 'pool' | 'background' | 'insertions' | 'jsonThread'>;
type EndingParts = Parts & DiscardParts & Pick<Context, 'logger'>;

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
    principal: encodeMessage(PrincipalSchema, principal),
    traceparent: call.traceparent,
    head,
    endedHead: await shortenHead(jsonThread, head, headBytes, call),
    body,
    bytes: bodyBytes + headBytes,
    options: JSON.stringify(options),
    timeoutMs: backgroundLimits.timeoutMs,
    holdTtlMs: input.holdTtlMs ?? HOLD_TTL_MS,
    isStreamed: input.isStreamed,
  };
  const inserting = () => withTransaction(pool, (tx) => insertWithinLimits(tx, response, call));
  const row = await insertions.run(`background ${owner.projectId}`, inserting, { refuse: tooMany });
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
  const known = await findBackground(tx, owner, id);
  if (known) return known;
  // A request beyond the limits writes nothing. The count is repeated under the lock, which is not held while a large body is written.
  if (!(await isWithinLimits(tx, owner, backgroundLimits, response.bytes))) throw tooMany();
  const created = await insertBackground(tx, response);
  if (!created) {
    const earlier = await findBackground(tx, owner, id);
    if (earlier) return earlier;
    throw new AppError('INVALID_INPUT', 'the hold belongs to another response, or to a discarded one');
  }
  await lockUntilCommit(tx, `background_responses/${projectId}`);
  if (!(await isWithinLimits(tx, owner, backgroundLimits))) throw tooMany();
  await pruneBackground(tx, owner, backgroundLimits, PRUNED_MAX);
  if (response.isStreamed) {
    await pruneBackgroundEvents(tx, projectId, backgroundLimits.projectEventBytes, PRUNED_MAX);
    // A long head is repeated only where the response is read.
    const head = response.endedHead ?? created.head;
    await insertBackgroundEvents(tx, id, toFirstEvents(toBackgroundResponse({ ...created, head })!));
  }
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
  const { row, discard } = await endWith(parts, { owner, id: uuid }, call, async (tx, { canceled }) => {
    const found = canceled ?? (await findBackground(tx, owner, uuid));
    return { row: found, discard: canceled && toDiscard(canceled, call) };
  });
  if (!row) throw notFound();
  await attemptDiscard(parts, discard);
  return toBackgroundResponse(row);
}

/** Stops a response if it has not ended, and deletes it. @throws AppError NOT_FOUND */
export async function removeBackground(parts: EndingParts, id: string, call: Call): Promise<void> {
  const owner = toOwner(call.requirePrincipal());
  const uuid = readId(id);
  const { row, discard } = await endWith(parts, { owner, id: uuid }, call, async (tx) => {
    const found = await findBackground(tx, owner, uuid);
    if (!found) return { row: undefined, discard: undefined };
    await deleteBackground(tx, owner, uuid);
    // A complete answer is stored under the id of its response, unless the row has it.
    const isStored = found.status === 'completed' && found.answer === null;
    return { row: found, discard: isStored ? undefined : toDiscard(found, call) };
  });
  if (!row) throw notFound();
  await attemptDiscard(parts, discard);
}

/**
 * Deletes the response of a request whose client gets another answer, and forbids a response that was not created yet. Its customer pays
 * for none of its attempts.
 *
 * @throws AppError when the attempts could not be discarded yet: this is repeated
 */
export async function discardBackground(parts: EndingParts, id: string, call: Call): Promise<void> {
  if (!isUuid(id)) throw new AppError('INVALID_INPUT', 'the hold is not a UUID');
  const principal = call.requirePrincipal();
  const owner = toOwner(principal);
  if (await forbidBackground(parts.pool, { ...owner, accountId: principal.accountId }, id)) {
    return release(parts.ledger, { holdId: id }, 'CANCELED', call);
  }
  const { discard } = await endWith(parts, { owner, id }, call, async (tx) => {
    const row = await findBackground(tx, owner, id);
    if (row) await emptyBackground(tx, owner, id);
    return { row, discard: row && { ...newDiscard(row, call), isSuperseded: true } };
  });
  const pending = discard ?? (await findDiscard(parts.pool, id));
  if (pending) await discardAttempts(parts, pending);
}

/**
 * Deletes the responses of a customer, a part per call, and stops those that have not ended. Returns whether there may be more. A late
 * creation is refused by the ledger, which admits nothing for a deleted customer.
 */
export async function forgetCustomer(parts: EndingParts, customerId: string, limit: number): Promise<boolean> {
  const deleted = await withTransaction(parts.pool, async (tx) => {
    const rows = await deleteOfCustomer(tx, customerId, limit);
    for (const row of rows) {
      if (row.ended_at !== null || row.attempt === 0) continue;
      // The hold of a call that was not sent is released with the discard if the release below is lost.
      const isSuperseded = !row.is_dispatched;
      await insertDiscard(tx, { ...listAttempts(row), isSuperseded, principal: row.principal });
    }
    return rows;
  });
  for (const row of deleted) {
    if (row.ended_at !== null) continue;
    const principal = decodeMessage(PrincipalSchema, row.principal);
    const call = startCall({ requestId: row.id, principal, timeoutMs: DISCARD_TIMEOUT_MS });
    await stopWork(parts, row, [], call).catch((err: unknown) => {
      parts.logger.warn({ err, response: row.id }, 'hold not released; its discard follows');
    });
  }
  return deleted.length === limit;
}

/** Ends a response if it has not ended, and stores what is to be undone together with `change`. */
async function endWith(
  parts: EndingParts,
  { owner, id }: { owner: BackgroundOwner; id: string },
  call: Call,
  change: (
    tx: Tx,
    ended: { canceled: BackgroundRow | undefined },
  ) => Promise<{ row: BackgroundRow | undefined; discard: BackgroundDiscard | undefined }>,
): Promise<{ row: BackgroundRow | undefined; discard: BackgroundDiscard | undefined }> {
  const { canceled, ...changed } = await withTransaction(parts.pool, async (tx) => {
    const ended = await cancelBackground(tx, owner, id);
    const events = ended?.is_streamed ? [toLastEvent(toBackgroundResponse(ended)!, ended.last_event + 1)] : [];
    if (events.length > 0) await insertBackgroundEvents(tx, id, events);
    const result = await change(tx, { canceled: ended });
    if (result.discard) await insertDiscard(tx, result.discard);
    return { canceled: ended && { ...ended, events }, ...result };
  });
  if (canceled) await stopWork(parts, canceled, canceled.events, call);
  return changed;
}

/** Returns what is to be undone of a response; undefined when no attempt has stored anything. */
function toDiscard(row: BackgroundRow, call: Call): BackgroundDiscard | undefined {
  return hasRun(row) ? newDiscard(row, call) : undefined;
}

function newDiscard(row: BackgroundRow, call: Call): BackgroundDiscard {
  return { ...listAttempts(row), principal: encodeMessage(PrincipalSchema, call.requirePrincipal()) };
}

function listAttempts({ id, attempt }: Pick<BackgroundRow, 'id' | 'attempt'>): Omit<BackgroundDiscard, 'principal'> {
  const holdIds = Array.from({ length: attempt }, (_, index) => backgroundHoldId(id, index + 1));
  return { id, holdIds, isSuperseded: false };
}

function hasRun(row: Pick<BackgroundRow, 'is_dispatched' | 'superseded_attempt'>): boolean {
  return row.is_dispatched || row.superseded_attempt !== null;
}

/** Attempts a discard, which a worker repeats when this fails. */
async function attemptDiscard(parts: EndingParts, discard: BackgroundDiscard | undefined): Promise<void> {
  if (!discard) return;
  await discardAttempts(parts, discard).catch((err: unknown) => {
    parts.logger.warn({ err, response: discard.id }, 'background response not discarded; trying again');
  });
}

/** Another process notices at its next heartbeat that its lease has ended. `events`: the end of its stream. */
async function stopWork(
  { background, ledger, wakeUps }: Parts,
  { id, attempt, is_dispatched: isDispatched }: Pick<BackgroundRow, 'id' | 'attempt' | 'is_dispatched'>,
  events: readonly ReaderEvent[],
  call: Call,
): Promise<void> {
  background.abort(id);
  wakeUps.logGrown(id, events);
  if (!isDispatched) await release(ledger, { holdId: backgroundHoldId(id, attempt) }, 'CANCELED', call);
}

function tooMany(): AppError {
  const { projectResponses, customerResponses, projectBytes, customerBytes } = backgroundLimits;
  const message = `too many unfinished background responses: a project may have ${projectResponses} with ${projectBytes} bytes, each customer ${customerResponses} with ${customerBytes} bytes; wait until one has ended, or cancel one`;
  return new AppError('RATE_LIMIT', message, { retryable: true });
}
