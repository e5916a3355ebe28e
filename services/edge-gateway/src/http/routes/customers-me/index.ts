import type { Route } from '../../exchange/route.js';
import { getMe } from './get-me.js';
import { getMyBalance } from './get-my-balance.js';
import { getMySubscription } from './get-my-subscription.js';
import { getMyUsage } from './get-my-usage.js';
import { listMyBalanceHistory } from './list-my-balance-history.js';

export const customerSelfServiceRoutes: Route[] = [
  getMe,
  getMySubscription,
  getMyUsage,
  getMyBalance,
  listMyBalanceHistory,
];
