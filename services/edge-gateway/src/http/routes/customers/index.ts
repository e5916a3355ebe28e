import { endpoints } from '../../server/endpoints.js';
import { cancelCustomerSubscription } from './billing/cancel-customer-subscription.js';
import { creditCustomer } from './billing/credit-customer.js';
import { getCustomerBalance } from './billing/get-customer-balance.js';
import { getCustomerSubscription } from './billing/get-customer-subscription.js';
import { listCustomerBalanceHistory } from './billing/list-customer-balance-history.js';
import { setCustomerSubscription } from './billing/set-customer-subscription.js';
import { withdrawCredit } from './billing/withdraw-credit.js';
import { blockCustomer, unblockCustomer } from './block-customer.js';
import { claimCustomer } from './claim-customer.js';
import { createCustomer } from './create-customer.js';
import { deleteCustomer } from './delete-customer.js';
import { getCustomer } from './get-customer.js';
import { getCustomerByExternalId } from './get-customer-by-external-id.js';
import { createProjectCustomer } from './in-project/create-project-customer.js';
import { deleteProjectCustomer } from './in-project/delete-project-customer.js';
import { getProjectCustomer } from './in-project/get-project-customer.js';
import { getProjectCustomerUsage } from './in-project/get-project-customer-usage.js';
import { listProjectCustomers } from './in-project/list-project-customers.js';
import { listCustomers } from './list-customers.js';
import { getMe } from './me/get-me.js';
import { getMyBalance } from './me/get-my-balance.js';
import { getMySubscription } from './me/get-my-subscription.js';
import { getMyUsage } from './me/get-my-usage.js';
import { listMyBalanceHistory } from './me/list-my-balance-history.js';
import { updateCustomer } from './update-customer.js';
import { upsertCustomer } from './upsert-customer.js';

export const customerRouter = endpoints(
  listCustomers,
  createCustomer,
  upsertCustomer,
  claimCustomer,
  getCustomerByExternalId,
  getCustomer,
  updateCustomer,
  deleteCustomer,
  blockCustomer,
  unblockCustomer,
  getCustomerSubscription,
  setCustomerSubscription,
  cancelCustomerSubscription,
  getCustomerBalance,
  listCustomerBalanceHistory,
  creditCustomer,
  withdrawCredit,
  listProjectCustomers,
  createProjectCustomer,
  getProjectCustomer,
  deleteProjectCustomer,
  getProjectCustomerUsage,
  getMe,
  getMySubscription,
  getMyUsage,
  getMyBalance,
  listMyBalanceHistory,
);
