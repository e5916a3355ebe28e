import { isTransientError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import type { AttemptReport } from '../../domain/webhooks/delivery.js';
import { type AttemptOutcome, applyOutcomes, type EndpointHealth } from '../../domain/webhooks/endpoint-health.js';
import { type HealthChange, lockHealth, lockLeases, saveHealth, saveOutcomes } from '../../store/outcomes.js';
import { cancelPending } from './cancel-pending.js';

export interface Recorded {
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
