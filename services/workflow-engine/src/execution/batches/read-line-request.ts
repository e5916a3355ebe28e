import type { BatchEndpoint, SentResponsesBody } from '@tollgate/api/compatible';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Call } from '@tollgate/rpc';
import { invalid, readBatchRequest, readExpandedRequest } from '../../domain/batches/batch-request.js';
import type { ReadRequest } from '../requests/run-request.js';
import type { LineHistory } from './line-history.js';

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
