import { AppError } from '@tollgate/errors';
import type { BoundHistogram } from '@tollgate/metrics';
import { elapsed } from '@tollgate/runtime';
import type { Queued } from './writer-queue.js';

type Caller = Pick<Queued<unknown, unknown>, 'caller'>;

export function isLate({ caller }: Caller): boolean {
  return caller.deadline <= elapsed();
}

/** The caller no longer waits, so a hold written for it would stay open until it expires. */
export function isAbandoned(queued: Caller): boolean {
  return queued.caller.isAborted || isLate(queued);
}

/** Refuses items that waited too long. Records their wait too; otherwise the metric would miss the longest waits. */
export function giveUp(
  batch: readonly Pick<Queued<unknown, unknown>, 'queuedAt' | 'reject'>[],
  wait: BoundHistogram | undefined,
): void {
  const now = elapsed();
  for (const { queuedAt } of batch) wait?.record((now - queuedAt) / 1_000);
  refuse(batch);
}

/** Refuses items. Nothing was written for them, or a retry will recognize it by the hold's id. */
export function refuse(batch: readonly Pick<Queued<unknown, unknown>, 'reject'>[]): void {
  for (const { reject } of batch)
    reject(new AppError('SERVICE_UNAVAILABLE', 'the ledger did not process the request in time'));
}
