import type { StoredResponseService } from '@tollgate/contracts/inference/v1/stored_responses_pb.js';
import { type Call, type Client, lacksMethod } from '@tollgate/rpc';

const DISCARD_TIMEOUT_MS = 5_000;

/** Deletes the response that a superseded attempt of a line has stored, and forbids the attempt to store one later. */
export async function discardResponse(
  clients: { storedResponses: Pick<Client<typeof StoredResponseService>, 'discardAttempt'> },
  holdId: string,
  call: Call,
): Promise<void> {
  try {
    await clients.storedResponses.discardAttempt({ holdId }, call.with({ timeoutMs: DISCARD_TIMEOUT_MS }));
  } catch (error) {
    // The version before keeps such responses until they expire.
    if (!lacksMethod(error)) throw error;
  }
}
