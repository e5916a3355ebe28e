import { endpoints } from '../../server/endpoints.js';
import { getAccountBalance } from './get-account-balance.js';
import { getAccountStatement } from './get-account-statement.js';
import { getAccountUsage } from './get-account-usage.js';
import { listAccountStatements } from './list-account-statements.js';
import { listAuditLog } from './list-audit-log.js';
import { verifyLedger } from './verify-ledger.js';

export const accountRouter = endpoints(
  getAccountBalance,
  getAccountUsage,
  listAccountStatements,
  getAccountStatement,
  listAuditLog,
  verifyLedger,
);
