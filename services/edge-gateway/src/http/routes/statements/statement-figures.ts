import type { GetStatementResponse } from '@tollgate/contracts/billing/v1/billing_pb.js';

/** A month of a project's wallets or of an owner's balance. */
export type StatementFigures = Pick<
  GetStatementResponse,
  'month' | 'openingMicrocents' | 'closingMicrocents' | 'lines'
>;
