import { z } from 'zod';
import { dayOrMoment, moment } from '../values/times.js';

/**
 * `GET /projects/{id}/webhooks/{webhook_id}/statistics`: `from` inclusive, `to` exclusive. Default: the last 24 hours by hour, the
 * last 30 days by day.
 */
export const webhookStatisticsQuery = z.object({
  from: dayOrMoment.optional(),
  to: dayOrMoment.optional(),
  interval: z.enum(['hour', 'day']).default('hour'),
});

const latency = z.int().min(0).optional();

const figures = {
  deliveries: z.object({
    pending: z.int().min(0),
    processing: z.int().min(0),
    delivered: z.int().min(0),
    failed: z.int().min(0),
  }),
  success_rate: z.number().min(0).max(1).nullable().describe('of the deliveries that ended; null if none did'),
  latency_ms: z
    .object({ p50: latency, p95: latency, p99: latency })
    .describe('of the last attempts that were answered; empty if none were'),
};

/** One hour or day, named: generators derive the same name for a list's element and for the enum `interval`. */
export const webhookIntervalFiguresSchema = z.object({ at: z.iso.datetime(), ...figures });

export const webhookStatisticsResponse = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  interval: z.enum(['hour', 'day']),
  total: z.object(figures),
  intervals: z.array(webhookIntervalFiguresSchema).describe('intervals with deliveries, oldest first'),
});

/** `POST /projects/{id}/webhooks/{webhook_id}/recover` */
export const recoverWebhookBody = z.object({ since: moment.describe('deliveries that were queued since then') });

export const webhookRecoverySchema = z.object({
  id: z.guid(),
  webhook_id: z.guid(),
  since: z.iso.datetime(),
  status: z
    .enum(['running', 'completed', 'canceled'])
    .describe('`completed`: all are queued; `canceled`: the webhook was disabled'),
  requeued: z.int().min(0).describe('deliveries that were queued again so far'),
  remaining: z.int().min(0).max(10_000).describe('deliveries still to be queued, counted up to 10,000'),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime().optional(),
});

export const webhookRecoveryResponse = z.object({ recovery: webhookRecoverySchema });
