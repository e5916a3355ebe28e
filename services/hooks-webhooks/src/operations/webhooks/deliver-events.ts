import { ATTR_HTTP_RESPONSE_STATUS_CODE } from '@opentelemetry/semantic-conventions';
import { isTransientError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import { elapsed, type Span, startSpan } from '@tollgate/runtime';
import { openSecret, type SealedSecret } from '@tollgate/runtime/secret-box';
import type { EndpointAnswer } from '../../clients/endpoint-client.js';
import type { Context } from '../../context.js';
import {
  type AttemptOutcome,
  type AttemptReport,
  allotSlots,
  applyOutcomes,
  type ClaimedDelivery,
  type Endpoint,
  type EndpointHealth,
  type FreeSlots,
  judgeAttempt,
  retrySchedules,
} from '../../domain/webhooks/delivery.js';
import { signatureHeaders } from '../../domain/webhooks/signature.js';
import {
  findExpiredLeases,
  type HealthChange,
  leaseHeads,
  lockEndpoints,
  lockHealth,
  lockLeases,
  readDemands,
  saveHealth,
  saveOutcomes,
} from '../../store/delivery-queues.js';
import { postponeExpiry } from '../../store/gen/delivery-queues.js';
import { cancelPending } from './cancel-pending.js';

interface Claim {
  deliveries: ClaimedDelivery[];
  /** Where the next claim continues in the ring of endpoints. */
  next: string;
  /** Whether another process was claiming deliveries of an endpoint that this claim has visited. */
  hasSkipped: boolean;
  /** Time until the next retry of the visited endpoints is due. */
  nextDueInMs: number | undefined;
}

/**
 * Claims up to `free` due deliveries, dealt fairly among the next endpoints after `after`. Claims that pass on their position visit all
 * endpoints in rotation, so that none waits longer than one round. An endpoint is locked before its attempts are counted, so that its limit
 * holds in all processes; claims of other endpoints do not wait for it.
 */
export async function claimDeliveries(
  ctx: Pick<Context, 'queuePool' | 'limits'>,
  after: string,
  free: FreeSlots,
): Promise<Claim> {
  const { perEndpoint, leaseMarginMs } = ctx.limits;
  return await withTransaction(ctx.queuePool, async (tx) => {
    const { keys, next, hasSkipped, nextDueInMs } = await lockEndpoints(tx, after, free, perEndpoint);
    if (keys.length === 0) return { deliveries: [], next, hasSkipped, nextDueInMs };
    const found = await readDemands(tx, keys, perEndpoint);
    const { quotas, lastServed } = allotSlots(found.demands, free, perEndpoint);
    const deliveries = quotas.size === 0 ? [] : await leaseHeads(tx, quotas, leaseMarginMs);
    const areAllServed = lastServed === found.demands.at(-1)?.webhookId;
    const waits = [nextDueInMs, found.nextDueInMs].filter((ms) => ms !== undefined);
    return {
      deliveries,
      next: areAllServed ? next : lastServed!,
      hasSkipped,
      nextDueInMs: waits.length > 0 ? Math.min(...waits) : undefined,
    };
  });
}

type AttemptContext = Pick<Context, 'clock' | 'keyring' | 'endpoints' | 'logger'>;

interface Notification {
  eventId: string;
  eventType: string;
  payload: Uint8Array;
  /** W3C context, for the endpoint. */
  traceparent?: string | undefined;
}

/** Makes one attempt with the stored bytes and a new signature. Never throws. */
export async function attemptDelivery(
  ctx: AttemptContext,
  claim: ClaimedDelivery,
  signal: AbortSignal,
): Promise<AttemptReport> {
  const { lease, endpoint } = claim;
  const startedAt = ctx.clock.now();
  const span = startSpan('webhook attempt', 'client', claim.traceparent, {
    'tollgate.webhook_id': lease.webhookId,
    'tollgate.event_id': claim.eventId,
    'tollgate.attempt': lease.attempt,
  });
  const notification = span ? { ...claim, traceparent: span.traceparent } : claim;
  const { answer, latencyMs } = await sendNotification(ctx, endpoint, notification, signal);
  endAttempt(span, answer);
  const schedule = retrySchedules[endpoint.retrySchedule];
  return {
    lease,
    verdict: judgeAttempt(schedule, lease.attempt, answer, ctx.clock.now()),
    isInterrupted: answer.kind === 'interrupted',
    responseStatus: answer.kind === 'answered' ? answer.status : undefined,
    latencyMs,
    startedAt,
  };
}

function endAttempt(span: Span | undefined, answer: EndpointAnswer): void {
  if (!span) return;
  if (answer.kind !== 'answered') span.fail(answer.kind);
  else {
    span.set({ [ATTR_HTTP_RESPONSE_STATUS_CODE]: answer.status });
    if (answer.status >= 300) span.fail(String(answer.status));
  }
  span.end();
}

export async function sendNotification(
  ctx: AttemptContext,
  endpoint: Endpoint,
  notification: Notification,
  signal: AbortSignal,
): Promise<{ answer: EndpointAnswer; latencyMs: number }> {
  const { eventId, eventType, payload, traceparent } = notification;
  const secret = readSecret(ctx, endpoint, endpoint.secret);
  if (secret === undefined) {
    return { answer: { kind: 'unreachable', error: 'the signing secret could not be read' }, latencyMs: 0 };
  }
  const now = ctx.clock.now();
  const { previousSecret } = endpoint;
  const isOverlap = previousSecret !== undefined && previousSecret.until > now;
  const previous = isOverlap ? readSecret(ctx, endpoint, previousSecret.secret) : undefined;
  const started = elapsed();
  const answer = await ctx.endpoints.post({
    url: endpoint.url,
    headers: {
      'content-type': 'application/json',
      // Some firewalls reject requests without a user agent.
      'user-agent': 'Tollgate/1.0 (webhooks)',
      'x-service-event-type': eventType,
      'x-service-event-id': eventId,
      ...(traceparent !== undefined && { traceparent }),
      ...signatureHeaders(endpoint.signatureForm, secret, { eventId, payload, previousSecret: previous }, now),
    },
    body: payload,
    timeoutMs: retrySchedules[endpoint.retrySchedule].timeoutMs,
    signal,
  });
  return { answer, latencyMs: Math.round(elapsed() - started) };
}

/** Returns undefined when no key opens the secret; an operator may add the key before the retries end. */
function readSecret(
  ctx: Pick<Context, 'keyring' | 'logger'>,
  endpoint: Endpoint,
  secret: SealedSecret,
): string | undefined {
  try {
    return openSecret(ctx.keyring, secret, endpoint.webhookId);
  } catch (err) {
    ctx.logger.error({ err, webhook_id: endpoint.webhookId }, 'signing secret not opened');
    return undefined;
  }
}

interface Recorded {
  /** Reports whose lease was lost; another worker reports the delivery. */
  lost: AttemptReport[];
  /** Webhooks that these outcomes disabled. */
  disabled: HealthChange[];
  /** Reports that the database refuses, also alone and at any later time. */
  refused: AttemptReport[];
}

/**
 * Records a batch of attempts: deliveries, attempt log, queues, and the endpoints' health, which may disable them. Reports are in the
 * order in which the attempts ended. A batch that the database refuses is split, so that one report cannot hold up the others.
 *
 * @throws when the database is unavailable
 */
export async function recordAttempts(
  ctx: Pick<Context, 'queuePool' | 'logger' | 'metrics'>,
  reports: readonly AttemptReport[],
): Promise<Recorded> {
  try {
    return await recordTogether(ctx, reports);
  } catch (error) {
    if (isTransientError(error)) throw error;
    const [report, ...others] = reports;
    if (report && others.length === 0) {
      const { deliveryId, attempt } = report.lease;
      ctx.logger.error(
        { err: error, delivery_id: deliveryId, attempt },
        'attempt not recorded; the database refuses it',
      );
      ctx.metrics.refused.add({});
      return { lost: [], disabled: [], refused: [report] };
    }
  }
  const middle = Math.ceil(reports.length / 2);
  const first = await recordAttempts(ctx, reports.slice(0, middle));
  const second = await recordAttempts(ctx, reports.slice(middle));
  return {
    lost: [...first.lost, ...second.lost],
    disabled: [...first.disabled, ...second.disabled],
    refused: [...first.refused, ...second.refused],
  };
}

async function recordTogether(ctx: Pick<Context, 'queuePool'>, reports: readonly AttemptReport[]): Promise<Recorded> {
  const recorded = await withTransaction(ctx.queuePool, async (tx) => {
    const failed = selectWebhookIds(
      reports,
      ({ verdict, isInterrupted }) => verdict.outcome !== 'delivered' && !isInterrupted,
    );
    const delivered = selectWebhookIds(reports, (report) => report.verdict.outcome === 'delivered');
    const health = await lockHealth(tx, failed, delivered);
    const held = await lockLeases(
      tx,
      reports.map((report) => report.lease),
    );
    const valid = reports.filter((report) => held.has(report.lease));
    if (valid.length > 0) await saveOutcomes(tx, valid);
    const changes = healthChanges(health, valid);
    if (changes.length > 0) await saveHealth(tx, changes);
    return {
      lost: reports.filter((report) => !held.has(report.lease)),
      disabled: changes.filter((change) => change.disable !== undefined),
      refused: [],
    };
  });
  for (const { webhookId } of recorded.disabled) await cancelPending(ctx, webhookId);
  return recorded;
}

function selectWebhookIds(reports: readonly AttemptReport[], matches: (report: AttemptReport) => boolean): string[] {
  return [...new Set(reports.filter(matches).map((report) => report.lease.webhookId))];
}

function healthChanges(health: ReadonlyMap<string, EndpointHealth>, reports: readonly AttemptReport[]): HealthChange[] {
  const outcomes = new Map<string, AttemptOutcome[]>();
  for (const { lease, verdict, isInterrupted } of reports) {
    // An attempt that the worker interrupted says nothing about the endpoint.
    if (isInterrupted || !health.has(lease.webhookId)) continue;
    const list = outcomes.get(lease.webhookId) ?? [];
    list.push({ outcome: verdict.outcome, isGone: verdict.outcome === 'failed' && verdict.isGone });
    outcomes.set(lease.webhookId, list);
  }
  return [...outcomes].map(([webhookId, list]) => {
    const { disable, ...after } = applyOutcomes(health.get(webhookId)!, list);
    return { webhookId, health: after, disable };
  });
}

const LEASES_PER_PASS = 500;
/** Until a lease is tried again whose attempt the database refuses to end. */
const REFUSED_MS = 3_600_000;

/**
 * Ends the attempts of crashed workers: logs them as interrupted and retries them at once, unless they were the fifth.
 * Puts attempts aside that cannot be ended. Returns how many were ended.
 */
export async function reclaimExpired(
  ctx: Pick<Context, 'queuePool' | 'clock' | 'logger' | 'metrics'>,
): Promise<number> {
  const expired = await findExpiredLeases(ctx.queuePool, LEASES_PER_PASS);
  if (expired.length === 0) return 0;
  const now = ctx.clock.now();
  const reports = expired.map(({ lease, startedAt }): AttemptReport => {
    // Any schedule will do: an interrupted attempt is retried without delay.
    const verdict = judgeAttempt(retrySchedules.standard, lease.attempt, { kind: 'interrupted' }, now);
    return { lease, verdict, isInterrupted: true, responseStatus: undefined, latencyMs: undefined, startedAt };
  });
  const { lost, refused } = await recordAttempts(ctx, reports);
  if (refused.length > 0) {
    await postponeExpiry(ctx.queuePool, { leases: refused.map(({ lease }) => lease), delayMs: REFUSED_MS });
  }
  const reclaimed = reports.length - lost.length - refused.length;
  if (reclaimed > 0) ctx.logger.warn({ deliveries: reclaimed }, 'expired leases reclaimed');
  return reclaimed;
}
