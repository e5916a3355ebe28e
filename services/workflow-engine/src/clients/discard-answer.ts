import type { StoredResponseService } from '@tollgate/contracts/inference/v1/stored_responses_pb.js';
import type { Call, Client } from '@tollgate/rpc';

export interface DiscardClients {
  storedResponses: Pick<Client<typeof StoredResponseService>, 'discardAttempt'>;
}

const DISCARD_TIMEOUT_MS = 5_000;

/** Undoes what an attempt has stored, and forbids it to add to its conversation later: its client gets another answer. */
export async function discardAnswer({ storedResponses }: DiscardClients, holdId: string, call: Call): Promise<void> {
  await storedResponses.discardAttempt({ holdId }, call.with({ timeoutMs: DISCARD_TIMEOUT_MS }));
}
