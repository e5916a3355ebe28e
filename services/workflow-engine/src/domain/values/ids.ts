import { v5, v7 } from 'uuid';

/**
 * Returns the id of one attempt of a model step: a UUID (version 5, in the run's namespace) that any process derives,
 * so that a hold from before a crash is found again.
 */
export function stepHoldId(runId: string, nodeId: string, step: number, attempt: number): string {
  return v5(`${nodeId}/${step}/${attempt}`, runId);
}

/** Returns the id of the message that a run appends to its session. */
export function sessionMessageId(runId: string): string {
  return v5('session_message', runId);
}

/** Returns a UUID version 7. It starts with the time, so that indexes of run ids grow at one end. */
export function uuidV7(nowMs: number, random: Uint8Array): string {
  return v7({ msecs: nowMs, random });
}
