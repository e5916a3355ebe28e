import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import { type ConfiguredLimits, calendarDay } from '../../domain/account-limits.js';
import { type BillingWindow, calendarMonth, currentWindow } from '../../domain/billing-window.js';
import { CONNECTIONS_PER_PROJECT_MAX } from '../../domain/connections/connection.js';
import { toOwnModels } from '../../domain/connections/own-connections.js';
import type { Subject } from '../../domain/subject.js';
import { readConnectedModels } from '../../store/connections/connections.js';
import type { Pool } from '../../store/database.js';
import { readSubject, type SubjectRow } from '../../store/subjects/subjects.js';
import { openLimits } from './open-limits.js';

/** Loads the subject of a request and opens a ledger account for every limit that applies to it. */
export async function loadSubject(
  pool: Pool,
  principal: Principal,
  nowMs: number,
  configured: ConfiguredLimits,
): Promise<Subject> {
  const row = principal.customerId ? await readSubject(pool, principal.projectId, principal.customerId) : undefined;
  if (principal.customerId && !row) throw new AppError('NOT_FOUND', 'customer not found');
  const chargesCustomer = row !== undefined && !principal.byob;
  const window = findWindow(row, nowMs);
  const [accounts, connections] = await Promise.all([
    openLimits(pool, principal, { row: chargesCustomer ? row : undefined, window, nowMs, configured }),
    isUuid(principal.projectId) ? readConnectedModels(pool, principal.projectId, CONNECTIONS_PER_PROJECT_MAX) : [],
  ]);
  return {
    ownerAccountId: principal.accountId,
    projectId: principal.projectId,
    customer: row && { id: row.customerId, externalId: row.externalId, isBlocked: row.isBlocked },
    keyId: principal.keyId || undefined,
    chargesCustomer,
    tier: row?.tier,
    subscription: row?.subscription,
    window,
    // A month ends with a day, so this also covers the quota's window.
    validUntilMs: Math.min(window.endMs, calendarDay(nowMs).endMs),
    accounts,
    ...(connections.length > 0 && { ownModels: toOwnModels(connections) }),
  };
}

export function findWindow(row: SubjectRow | undefined, nowMs: number): BillingWindow {
  return row?.subscription ? currentWindow(row.subscription.schedule, nowMs) : calendarMonth(nowMs);
}
