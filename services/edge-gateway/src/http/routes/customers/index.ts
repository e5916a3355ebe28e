import { endpoints } from '../../server/endpoints.js';
import {
  cancelCustomerSubscription,
  creditCustomer,
  getCustomerBalance,
  getCustomerSubscription,
  listCustomerBalanceHistory,
  setCustomerSubscription,
  withdrawCredit,
} from './billing.js';
import { blockCustomer, unblockCustomer } from './block-customer.js';
import { claimCustomer } from './claim-customer.js';
import {
  createCustomer,
  deleteCustomer,
  getCustomer,
  getCustomerByExternalId,
  listCustomers,
  updateCustomer,
  upsertCustomer,
} from './customers.js';
import { getMe, getMyBalance, getMySubscription, getMyUsage, listMyBalanceHistory } from './me.js';
import {
  createProjectCustomer,
  deleteProjectCustomer,
  getProjectCustomer,
  getProjectCustomerUsage,
  listProjectCustomers,
} from './project-customers.js';

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
