import { setTimeout as sleep } from 'node:timers/promises';
import { cancellationParams } from '@tollgate/api/runs';
import { isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';
import { toCallKey } from './mcp-caller.js';

/** A cancellation may arrive at another process before the run of its call is stored. */
const ATTEMPTS_MAX = 10;
const PAUSE_MS = 200;

/**
 * Cancels the run that a request of the scope started. An unknown request and a run that has ended are no errors: the
 * protocol expects both.
 */
export async function cancelCall(
  { clients }: Pick<Context, 'clients'>,
  scope: string | undefined,
  params: unknown,
  call: Call,
): Promise<void> {
  const named = cancellationParams.safeParse(params);
  const idempotencyKey = named.success ? toCallKey(scope, named.data.requestId) : undefined;
  if (idempotencyKey === undefined) return;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    try {
      await clients.workflow.cancelRun({ runId: '', idempotencyKey }, call);
      return;
    } catch (error) {
      if (isAppError(error) && error.code === 'CONFLICT') return;
      if (!isAppError(error) || error.code !== 'NOT_FOUND') throw error;
    }
    await sleep(PAUSE_MS);
  }
}
