import { setTimeout as sleep } from 'node:timers/promises';
import type { DescMethod } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { isAppError } from '@tollgate/errors';
import type { Call } from './call.js';

type Unary = (req: Record<string, unknown>, call: Call) => Promise<unknown>;

/**
 * Pauses before further attempts: together long enough to find another replica, and shorter than callers' deadlines.
 */
const PAUSES_MS = [50, 200, 500];

/**
 * Retries a read (`idempotency_level = NO_SIDE_EFFECTS`) within its deadline while its server is unavailable: another
 * replica may answer, or the same one after a restart. Never repeats a call that changes something; only its caller knows
 * whether that is safe.
 */
export function retryReads(method: DescMethod, once: Unary): Unary {
  if (method.idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS) return once;
  return async (req, call) => {
    for (const pauseMs of PAUSES_MS) {
      try {
        return await once(req, call);
      } catch (error) {
        if (!isUnavailable(error) || call.isAborted || call.remainingMs() <= pauseMs) throw error;
      }
      await sleep(pauseMs);
    }
    return once(req, call);
  };
}

function isUnavailable(error: unknown): boolean {
  return isAppError(error) && error.code === 'SERVICE_UNAVAILABLE';
}
