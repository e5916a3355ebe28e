import type { Route } from '../../route.js';
import { claimCustomer } from './claim-customer.js';
import { createCustomer } from './create-customer.js';
import { createProjectCustomer } from './create-project-customer.js';
import { deleteCustomer } from './delete-customer.js';
import { deleteProjectCustomer } from './delete-project-customer.js';
import { getCustomer } from './get-customer.js';
import { getCustomerBalance } from './get-customer-balance.js';
import { getCustomerByExternalId } from './get-customer-by-external-id.js';
import { getCustomerSubscription } from './get-customer-subscription.js';
import { getProjectCustomer } from './get-project-customer.js';
import { getProjectCustomerUsage } from './get-project-customer-usage.js';
import { listCustomerBalanceHistory } from './list-customer-balance-history.js';
import { listCustomers } from './list-customers.js';
import { listProjectCustomers } from './list-project-customers.js';
import { setCustomerSubscription } from './set-customer-subscription.js';
import { upsertCustomer } from './upsert-customer.js';

export const customerRoutes: Route[] = [
  listCustomers,
  createCustomer,
  upsertCustomer,
  claimCustomer,
  getCustomerByExternalId,
  getCustomer,
  deleteCustomer,
  getCustomerSubscription,
  setCustomerSubscription,
  getCustomerBalance,
  listCustomerBalanceHistory,
  listProjectCustomers,
  createProjectCustomer,
  getProjectCustomer,
  deleteProjectCustomer,
  getProjectCustomerUsage,
];
