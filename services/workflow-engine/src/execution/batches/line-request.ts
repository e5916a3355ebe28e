import {
  type BatchEndpoint,
  type ExpandedResponses,
  expandResponses,
  type SentResponsesBody,
  toHistoryQuery,
} from '@tollgate/api/compatible';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { StoredResponseService } from '@tollgate/contracts/inference/v1/stored_responses_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call, Client } from '@tollgate/rpc';
import { ByteBudget, FairSlots } from '@tollgate/runtime';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { invalid, readBatchRequest, readExpandedRequest } from '../../domain/batches/batch-request.js';
import type { ReadRequest } from '../requests/run-request.js';

/**
 * Reads the request of a line. Stored items to which it refers are those of the time at which it runs.
 *
 * @throws AppError for a body that the endpoint would refuse
 */
export async function readLineRequest(
  history: LineHistory,
  endpoint: BatchEndpoint,
  json: string,
  call: Call,
): Promise<ReadRequest> {
  const read = readBatchRequest(endpoint, JSON.parse(json));
  if (read.kind === 'stateful') return expand(history, read.body, call);
  const isStored = read.kind === 'turn' && endpoint === '/v1/responses' && decideStorage(call.requirePrincipal(), read);
  const storage = { previousKey: '', historyItems: 0 };
  return { request: read, body: json, isExpanded: false, ...(isStored && { sending: { storage } }) };
}

async function expand(history: LineHistory, sent: SentResponsesBody, call: Call): Promise<ReadRequest> {
  const isStored = decideStorage(call.requirePrincipal(), sent);
  const { expanded, previousKey, historyItems, conversationKey, storedBytes } = await history.expand(sent, call);
  const request = readExpandedRequest(expanded);
  const body = JSON.stringify(expanded);
  history.take(Math.max(0, Buffer.byteLength(body) - storedBytes));
  const storage = { previousKey, historyItems, conversationKey, isUnlisted: !isStored };
  const isKept = isStored || conversationKey !== '';
  return { request, body, isExpanded: true, ...(isKept && { sending: { storage } }) };
}

/**
 * Returns whether the answer is stored: the edge wrote the choice of the project, or the installation's default, into the principal of
 * the batch.
 *
 * @throws AppError VALIDATION_ERROR when the request needs storage that the project forbids
 */
function decideStorage(
  { responseStorage }: Principal,
  { store, conversation }: { store?: boolean | null | undefined; conversation?: unknown },
): boolean {
  const allows = responseStorage === true;
  // Batches of the previous version do not know the installation's default.
  const forbids = responseStorage === false;
  if (store === true && forbids) throw needsStorage('store', 'send store: false');
  if (conversation && !allows) throw needsStorage('conversation', 'send the whole conversation as input');
  return store !== false && allows;
}

function needsStorage(field: string, instead: string): ReturnType<typeof invalid> {
  return invalid(field, `this project does not store responses: ${instead}, or enable response_storage in the project`);
}

export interface HistoryContext {
  clients: { storedResponses: Pick<Client<typeof StoredResponseService>, 'discardAttempt' | 'readHistory'> };
  expandedBytes: ExpandedBytes;
}

const READ_TIMEOUT_MS = 10_000;

/** Bounds the memory of lines that refer to stored items, whose size is known only when they have been read. */
export class ExpandedBytes {
  /** An account may hold half of it. */
  readonly budget = new ByteBudget(batchLimits.expandedSlotBytes);
  readonly #reads = new FairSlots({ slots: 1, waitingMax: 2 * batchLimits.slots });

  /** Runs a read when no other one runs in this process; accounts alternate. @throws AppError SERVICE_UNAVAILABLE when too many wait */
  read<Result>(account: string, work: () => Promise<Result>): Promise<Result> {
    return this.#reads.run(account, work, { refuse: overloaded });
  }
}

/** The stored items of one line, which count until it has run. */
export class LineHistory {
  readonly #ctx: HistoryContext;
  #accountId = '';
  #taken = 0;

  constructor(ctx: HistoryContext) {
    this.#ctx = ctx;
  }

  /** Reads the stored items to which a body refers, for the customer of the call. @throws AppError for those that do not exist */
  expand(body: SentResponsesBody, call: Call): Promise<ExpandedResponses> {
    const { clients, expandedBytes } = this.#ctx;
    this.#accountId = call.requirePrincipal().accountId;
    return expandedBytes.read(this.#accountId, async () => {
      if (call.isAborted) throw call.abortReason;
      const timed = call.with({ timeoutMs: READ_TIMEOUT_MS });
      const stored = await clients.storedResponses.readHistory(toHistoryQuery(body), timed);
      const result = expandResponses(body, stored, (bytes) => this.take(bytes));
      if (result.kind === 'missing') {
        throw new AppError(result.code, result.message, { vendorError: result.vendorError });
      }
      return result;
    });
  }

  /** Counts bytes of the line. @throws AppError PAYLOAD_TOO_LARGE; SERVICE_UNAVAILABLE when other lines have too many */
  take(bytes: number): void {
    if (this.#taken + bytes > batchLimits.expandedBytes) {
      const message = `the request has more than ${batchLimits.expandedBytes} bytes with the stored items that it names`;
      throw new AppError('PAYLOAD_TOO_LARGE', message);
    }
    if (!this.#ctx.expandedBytes.budget.take(this.#accountId, bytes)) throw overloaded();
    this.#taken += bytes;
  }

  giveBack(): void {
    if (this.#taken > 0) this.#ctx.expandedBytes.budget.giveBack(this.#accountId, this.#taken);
    this.#taken = 0;
  }
}

function overloaded(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'too many large requests of batches at once', { retryable: true });
}
