import type { StatementMonth } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { toReportNumber } from '@tollgate/money';
import type { StatementFigures } from './statement-figures.js';

export function monthJson({ month, state }: StatementMonth) {
  const from = new Date(`${month}-01T00:00:00Z`);
  const to = new Date(from);
  to.setUTCMonth(to.getUTCMonth() + 1);
  return { month, from: from.toISOString(), to: to.toISOString(), state };
}

export function statementJson(projectId: string, month: StatementMonth, statement: StatementFigures) {
  return { project_id: projectId, ...figuresJson(month, statement) };
}

export function accountStatementJson(accountId: string, month: StatementMonth, statement: StatementFigures) {
  return { account_id: accountId, ...figuresJson(month, statement) };
}

function figuresJson(month: StatementMonth, statement: StatementFigures) {
  return {
    ...monthJson(month),
    currency: 'usd' as const,
    opening_balance_microcents: toReportNumber(statement.openingMicrocents),
    closing_balance_microcents: toReportNumber(statement.closingMicrocents),
    lines: statement.lines.map(({ kind, modelId, entries, amountMicrocents }) => ({
      kind,
      model: modelId || undefined,
      entries: toReportNumber(entries),
      amount_microcents: toReportNumber(amountMicrocents),
    })),
  };
}
