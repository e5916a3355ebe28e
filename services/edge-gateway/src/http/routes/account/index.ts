import type { Route } from '../../route.js';
import { getAccountBalance } from './get-account-balance.js';
import { getAccountUsage } from './get-account-usage.js';
import { verifyLedger } from './verify-ledger.js';

export const accountRoutes: Route[] = [getAccountBalance, getAccountUsage, verifyLedger];
