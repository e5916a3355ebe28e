import { z } from 'zod';
import { queryInteger } from '../values/paging.js';

/** A calendar month in UTC. */
const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-10');
const timestamp = z.iso.datetime({ offset: true });

export const statementParams = z.object({ id: z.string(), month });

/** Of `GET /account/statements/{month}` */
export const accountStatementParams = z.object({ month });

/** `GET /projects/{id}/statements` and `GET /account/statements` */
export const statementsQuery = z.object({
  limit: queryInteger(1, 120).default(24),
  cursor: month.optional(),
});

/** `GET /projects/{id}/statements/{month}` and `GET /account/statements/{month}` */
export const statementQuery = z.object({ format: z.enum(['json', 'csv']).optional() });

const statementMonth = {
  month,
  from: timestamp,
  to: timestamp.describe('exclusive'),
  state: z
    .enum(['open', 'closed', 'final'])
    .describe(
      '`open` while the month is not over; `closed` once it has ended; `final` once its part of the journal is sealed',
    ),
};

export const statementsSchema = z.object({
  statements: z.array(z.object(statementMonth)),
  next_cursor: z.string().optional(),
});

const statementFields = {
  ...statementMonth,
  currency: z.literal('usd'),
  opening_balance_microcents: z.int(),
  closing_balance_microcents: z.int().describe('the opening balance plus all lines'),
};

const lineFields = {
  model: z.string().optional().describe('of charges, their fees and their returns'),
  entries: z.int().describe('entries of the journal; 0 for fees, which are parts of charges'),
};

export const statementSchema = z.object({
  statement: z.object({
    project_id: z.guid(),
    ...statementFields,
    lines: z.array(
      z.object({
        kind: z
          .string()
          .describe(
            'top_up, promo, adjustment, refund, refund_failed, dispute, dispute_won, credit_withdrawn, charge, tool_fee, ' +
              'charge_returned, forfeited, forfeit_returned, written_off, write_off_returned, promo_returned; more kinds may follow',
          ),
        ...lineFields,
        amount_microcents: z.int().describe('positive: into the wallets; negative: out of them'),
      }),
    ),
  }),
});

export const accountStatementSchema = z.object({
  statement: z.object({
    account_id: z.guid(),
    ...statementFields,
    lines: z.array(
      z.object({
        kind: z
          .string()
          .describe(
            'top_up, promo, adjustment, refund, refund_failed, dispute, dispute_won, charge, tool_fee, charge_returned; ' +
              'more kinds may follow',
          ),
        ...lineFields,
        amount_microcents: z.int().describe('positive: into the balance; negative: out of it'),
      }),
    ),
  }),
});
