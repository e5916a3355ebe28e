import type { GetStatementResponse, StatementMonth } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { toReportNumber } from '@tollgate/money';

export function monthJson({ month, state }: StatementMonth) {
  const from = new Date(`${month}-01T00:00:00Z`);
  const to = new Date(from);
  to.setUTCMonth(to.getUTCMonth() + 1);
  return { month, from: from.toISOString(), to: to.toISOString(), state };
}

export function statementJson(projectId: string, month: StatementMonth, statement: GetStatementResponse) {
  return {
    project_id: projectId,
    ...monthJson(month),
    currency: 'usd',
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
