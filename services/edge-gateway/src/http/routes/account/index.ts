import { endpoints } from '../../server/endpoints.js';
import {
  getAccountBalance,
  getAccountStatement,
  getAccountUsage,
  listAccountStatements,
  listAuditLog,
  verifyLedger,
} from './account.js';

export const accountRouter = endpoints(
  getAccountBalance,
  getAccountUsage,
  listAccountStatements,
  getAccountStatement,
  listAuditLog,
  verifyLedger,
);
