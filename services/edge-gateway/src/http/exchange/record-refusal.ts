import type { Answered, Exchange } from './exchange.js';

/** Keeps a request that admission refused for owners' reports. The ledger emits no event for it. */
export function recordRefusal(exchange: Exchange<Answered>, status: number | undefined): void {
  const { ctx, ids, principal, record } = exchange;
  const errorCode = record.refusal;
  if (errorCode === undefined || !principal) return;
  ctx.refusals.add({
    id: ids.holdId,
    at: ctx.clock.now(),
    accountId: principal.accountId,
    projectId: principal.projectId,
    customerId: principal.customerId || null,
    keyId: principal.keyId || null,
    tierCode: principal.tierCode || null,
    model: record.model ?? null,
    httpStatus: status ?? null,
    isStream: false,
    requestId: ids.requestId,
    errorCode,
    durationMs: performance.now() - record.startedAt,
  });
}
