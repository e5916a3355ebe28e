import { z } from 'zod';
import { queryInteger } from '../values/paging.js';
import { dayOrMoment } from '../values/times.js';

export const accountBalanceSchema = z.object({
  balance_microcents: z.int(),
  balance_formatted: z.string(),
  currency: z.string(),
  low_balance_threshold_cents: z.int(),
});

/** `from` inclusive, `to` exclusive. Usage is kept by day (UTC): a day counts when any part of it does. Default: the last 30 days. */
export const accountUsageQuerySchema = z.object({
  from: dayOrMoment.optional(),
  to: dayOrMoment.optional(),
  group_by: z.enum(['day', 'model', 'customer', 'key']).default('day'),
  limit: queryInteger(1, 200).default(50),
  offset: queryInteger(0, 1_000_000).default(0),
});

const overrun = z.int().describe('Provider cost beyond what was held for its requests; not charged to anyone');

const unreconciled = z
  .int()
  .describe(
    'Upper bound of the provider cost of requests that were sent to a provider and never reported; not charged to anyone. ' +
      'The real cost lies between 0 and this figure. A request that was never sent is released and not counted.',
  );

export const accountUsageSchema = z.object({
  usage: z.array(
    z.object({
      /** The day, model, customer or key; `none` for requests without a customer or a key. */
      group: z.string(),
      requests: z.int(),
      input_tokens: z.int(),
      output_tokens: z.int(),
      images: z.int(),
      customer_microcents: z.int(),
      provider_microcents: z.int(),
    }),
  ),
  overrun_microcents: overrun,
  unreconciled_microcents: unreconciled,
  forfeited_microcents: z.int().meta({
    description: 'Unused money in the wallets of deleted customers, less later refunds.',
  }),
  written_off_microcents: z.int().meta({
    description: 'What deleted customers owe: refunds and chargebacks beyond what was left in their wallets.',
  }),
  next_cursor: z.string().optional(),
});

export const ledgerVerifySchema = z.object({
  differences: z.array(
    z.object({ account: z.string(), field: z.string(), stored: z.string(), recomputed: z.string() }),
  ),
  open_holds: z.int(),
  overrun_microcents: overrun,
  unreconciled_microcents: unreconciled,
});
