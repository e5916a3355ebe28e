import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  accountStatementParams,
  accountStatementSchema,
  statementQuery,
  statementsQuery,
  statementsSchema,
} from '@tollgate/api/billing';
import {
  type AuditEventRecord,
  accountBalanceSchema,
  accountUsageQuerySchema,
  accountUsageSchema,
  auditLogQuery,
  auditLogResponse,
  ledgerVerifySchema,
} from '@tollgate/api/identity';
import { nextCursor } from '@tollgate/api/values';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { formatMicrocents, toReportNumber } from '@tollgate/money';
import { z } from 'zod';
import { isLimitedToProject } from '../../../auth/project-scope.js';
import type { Context } from '../../../context.js';
import { type AuditEvent, listAuditEvents } from '../../../store/audit-events.js';
import { defineRoute } from '../../exchange/route.js';
import { accountStatementJson, answerStatement, monthJson, STATEMENT_TIMEOUT_MS } from '../statements/statements.js';

/** Lets only callers pass who may see the money of the whole account. @throws AppError FORBIDDEN */
async function requireOwnAccount(ctx: Pick<Context, 'directory' | 'pool'>, principal: Principal): Promise<void> {
  if (!(await isLimitedToProject(ctx, principal))) return;
  throw new AppError(
    'FORBIDDEN',
    'only users of the account that owns the project, and keys that they created, can read its balance and its statements',
  );
}

export const getAccountBalance = defineRoute({
  method: 'GET',
  path: '/account/balance',
  tag: 'Account',
  summary: "Get the owner's prepaid balance",
  operationId: 'getAccountBalance',
  description:
    'Every model request is charged to this balance; the tiers decide what customers pay. Members who belong to another account, and keys that they created or rotated, cannot read it.',
  auth: ['owner', 'secret_key'],
  success: { status: 200, schema: accountBalanceSchema },
  handler: async ({ call, principal }, ctx) => {
    await requireOwnAccount(ctx, principal);
    const balance = await ctx.clients.billing.getAccountBalance({}, call);
    return {
      body: {
        balance_microcents: toReportNumber(balance.balanceMicrocents),
        balance_formatted: formatMicrocents(balance.balanceMicrocents, balance.currency),
        currency: balance.currency,
        low_balance_threshold_cents: toReportNumber(balance.lowBalanceThresholdCents),
      },
    };
  },
});

export const getAccountStatement = defineRoute({
  method: 'GET',
  path: '/account/statements/:month',
  tag: 'Account',
  summary: "Get what moved in the owner's prepaid balance in one month",
  operationId: 'getAccountStatement',
  description:
    "The balance before and after the month, and the ledger's journal in between by kind and model: top-ups, and what " +
    'providers were paid for all projects. The lines add up to the difference exactly. With `format=csv` or ' +
    '`Accept: text/csv` the answer is a CSV file. Members who belong to another account, and keys that they created or ' +
    'rotated, cannot read it.',
  auth: ['owner', 'secret_key'],
  params: accountStatementParams,
  query: statementQuery,
  success: { status: 200, schema: accountStatementSchema },
  alsoAnswers: [{ status: 200, schema: z.string(), contentType: 'text/csv' }],
  refusals: [404],
  timeoutMs: STATEMENT_TIMEOUT_MS,
  async handler(input, ctx) {
    const { principal, call } = input;
    const { month: name } = input.params;
    await requireOwnAccount(ctx, principal);
    const statement = await ctx.clients.billing.getAccountStatement({ month: name }, call);
    return answerStatement(input, name, statement, (month) =>
      accountStatementJson(principal.accountId, month, statement),
    );
  },
});

export const listAccountStatements = defineRoute({
  method: 'GET',
  path: '/account/statements',
  tag: 'Account',
  summary: "List the months of the owner's statements, newest first",
  operationId: 'listAccountStatements',
  description:
    'From the present month back to that in which the account was opened. Members who belong to another account, and keys that they created or rotated, cannot read it.',
  auth: ['owner', 'secret_key'],
  query: statementsQuery,
  success: { status: 200, schema: statementsSchema },
  async handler({ query, call, principal }, ctx) {
    await requireOwnAccount(ctx, principal);
    const { limit, cursor: beforeMonth = '' } = query;
    const { months, hasMore } = await ctx.clients.billing.listAccountStatements({ limit, beforeMonth }, call);
    const last = months.at(-1);
    return { body: { statements: months.map(monthJson), ...(hasMore && last && { next_cursor: last.month }) } };
  },
});

const at = (day: string | undefined) => (day === undefined ? undefined : timestampFromDate(new Date(day)));

export const getAccountUsage = defineRoute({
  method: 'GET',
  path: '/account/usage',
  tag: 'Account',
  summary: "Get the usage of all the owner's projects by day, model, customer or key",
  operationId: 'getAccountUsage',
  description:
    '`from` is inclusive and `to` is exclusive. Times are dates or RFC 3339. A member who belongs to another account, and a key that such a member created or rotated, gets the usage of the project alone.',
  auth: ['owner', 'secret_key'],
  query: accountUsageQuerySchema,
  success: { status: 200, schema: accountUsageSchema },
  handler: async ({ query, call, principal }, ctx) => {
    const req = {
      from: at(query.from),
      to: at(query.to),
      groupBy: query.group_by,
      limit: query.limit,
      offset: query.offset,
      projectId: (await isLimitedToProject(ctx, principal)) ? principal.projectId : '',
    };
    const usage = await ctx.clients.billing.getAccountUsage(req, call);
    return {
      body: {
        usage: usage.rows.map((row) => ({
          group: row.group,
          requests: toReportNumber(row.requests),
          input_tokens: toReportNumber(row.inputTokens),
          output_tokens: toReportNumber(row.outputTokens),
          images: toReportNumber(row.images),
          customer_microcents: toReportNumber(row.customerMicrocents),
          provider_microcents: toReportNumber(row.providerMicrocents),
        })),
        overrun_microcents: toReportNumber(usage.overrunMicrocents),
        unreconciled_microcents: toReportNumber(usage.unreconciledMicrocents),
        forfeited_microcents: toReportNumber(usage.forfeitedMicrocents),
        written_off_microcents: toReportNumber(usage.writtenOffMicrocents),
        ...nextCursor(query.offset, usage.rows.length, usage.hasMore),
      },
    };
  },
});

export const listAuditLog = defineRoute({
  method: 'GET',
  path: '/account/audit-log',
  tag: 'Account',
  summary: "List the account's security-relevant actions, newest first",
  operationId: 'listAuditLog',
  description: 'Sign-ins, keys, tiers, agents and settings: who did it, when, from where, and for some what changed.',
  auth: ['owner'],
  query: auditLogQuery,
  success: { status: 200, schema: auditLogResponse },
  handler: async ({ query, principal }, ctx) => {
    const { limit, offset, action } = query;
    const found = await listAuditEvents(ctx.pool, principal.accountId, { limit: limit + 1, offset, action });
    const events = found.slice(0, limit).map(auditEventJson);
    return { body: { events, ...nextCursor(offset, events.length, found.length > limit) } };
  },
});

function auditEventJson(event: AuditEvent): AuditEventRecord {
  return {
    id: event.id,
    action: event.action,
    actor: { kind: event.actorKind, id: event.actorId },
    ...(event.projectId !== null && { project_id: event.projectId }),
    ...(event.subjectId !== null && { subject_id: event.subjectId }),
    ...(event.changes.length > 0 && { changes: [...event.changes] }),
    address: event.address,
    request_id: event.requestId,
    at: event.at.toISOString(),
  };
}

export const verifyLedger = defineRoute({
  method: 'GET',
  path: '/account/ledger/verify',
  tag: 'Account',
  summary: 'Recompute every balance from the journal',
  operationId: 'verifyLedger',
  description: 'Compares every balance of the account with the sum of its journal entries.',
  auth: ['owner'],
  success: { status: 200, schema: ledgerVerifySchema },
  timeoutMs: 60_000,
  handler: async ({ call }, ctx) => {
    const verdict = await ctx.clients.billing.verifyLedger({}, call);
    return {
      body: {
        differences: verdict.differences.map(({ account, field, stored, recomputed }) => ({
          account,
          field,
          stored: stored.toString(),
          recomputed: recomputed.toString(),
        })),
        open_holds: toReportNumber(verdict.openHolds),
        overrun_microcents: toReportNumber(verdict.overrunMicrocents),
        unreconciled_microcents: toReportNumber(verdict.unreconciledMicrocents),
      },
    };
  },
});
