import { createHash } from 'node:crypto';

/**
 * Returns the id of one attempt of a model step: a UUID (version 5, in the run's namespace) that any process derives,
 * so that a hold from before a crash is found again.
 */
export function stepHoldId(runId: string, nodeId: string, step: number, attempt: number): string {
  return uuidV5(runId, `${nodeId}/${step}/${attempt}`);
}

/** Returns the id of the message that a run appends to its session. */
export function sessionMessageId(runId: string): string {
  return uuidV5(runId, 'session_message');
}

function uuidV5(namespaceId: string, name: string): string {
  const namespace = Buffer.from(namespaceId.replaceAll('-', ''), 'hex');
  const digest = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  digest[6] = ((digest[6] as number) & 0x0f) | 0x50;
  digest[8] = ((digest[8] as number) & 0x3f) | 0x80;
  return formatUuid(digest);
}

/** Returns a UUID version 7. It starts with the time, so that indexes of run ids grow at one end. */
export function uuidV7(nowMs: number, random: Uint8Array): string {
  const bytes = Buffer.from(random.subarray(0, 16));
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return formatUuid(bytes);
}

function formatUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
