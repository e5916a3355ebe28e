import { setTimeout as sleep } from 'node:timers/promises';
import type { DescMethod } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { isAppError } from '@tollgate/errors';
import type { Call } from './call.js';

type Unary = (req: Record<string, unknown>, call: Call) => Promise<unknown>;

/** Before each further attempt. Together shorter than a caller's patience, longer than another replica needs to be found. */
const PAUSES_MS = [50, 200, 500];

/**
 * A read (`idempotency_level = NO_SIDE_EFFECTS`) whose server is unavailable is retried within its deadline: another replica
 * answers, or the same one when it is back. Calls that change something are never repeated here; their callers know
 * whether they may.
 */
export function readAgain(method: DescMethod, once: Unary): Unary {
  if (method.idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS) return once;
  return async (req, call) => {
    for (const pauseMs of PAUSES_MS) {
      try {
        return await once(req, call);
      } catch (error) {
        if (!isAway(error) || call.isAborted || call.remainingMs() <= pauseMs) throw error;
      }
      await sleep(pauseMs);
    }
    return once(req, call);
  };
}

function isAway(error: unknown): boolean {
  return isAppError(error) && error.code === 'SERVICE_UNAVAILABLE';
}
