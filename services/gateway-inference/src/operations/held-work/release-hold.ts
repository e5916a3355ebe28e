import { asAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { release } from '@tollgate/spending';
import type { Context } from '../../context.js';

/** How long a failed request waits for the settlement of nothing before the failure is reported. */
export const RELEASE_WAIT_MS = 1_000;

/** Releases the hold of a request that is refused before any provider is asked. Never rejects. */
export async function releaseHold(
  { ledger }: Pick<Context, 'ledger'>,
  { holdId, modelId, isStream }: { holdId: string; modelId: string; isStream: boolean },
  call: Call,
  refusal: unknown,
): Promise<void> {
  const { status, code: errorCode } = asAppError(refusal);
  const facts = { modelId, status, success: false, streaming: isStream, errorCode, stopReason: 'error' };
  await release(ledger, { holdId }, facts, call);
}
