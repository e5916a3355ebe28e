import { BillingService, type PrepareCustomerTokenRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { type Call, type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { grantCredit } from '../operations/credit/grant-credit.js';
import { withdrawCredit } from '../operations/credit/withdraw-credit.js';
import { claimCustomer } from '../operations/customers/claim-customer.js';
import { deleteCustomer } from '../operations/customers/delete-customer.js';
import { findCustomer } from '../operations/customers/find-customer.js';
import { listCustomers } from '../operations/customers/list-customers.js';
import { prepareCustomerToken } from '../operations/customers/prepare-customer-token.js';
import { updateCustomer } from '../operations/customers/update-customer.js';
import { createCustomer, upsertCustomer } from '../operations/customers/write-customer.js';
import { admit } from '../operations/holds/admit.js';
import { releaseHolds } from '../operations/holds/release-holds.js';
import { recordProgress, settle } from '../operations/holds/settle.js';
import { listUnchargedUsage } from '../operations/reports/list-uncharged-usage.js';
import { readAccountUsage, verifyLedger } from '../operations/reports/read-account-usage.js';
import { listBalanceHistory, readAccountBalance, readCustomerBalance } from '../operations/reports/read-balance.js';
import {
  listAccountStatements,
  listStatements,
  readAccountStatement,
  readStatement,
} from '../operations/reports/read-statement.js';
import { readCustomerUsage } from '../operations/reports/read-usage.js';
import { setSubscription } from '../operations/tiers/set-subscription.js';
import { createTier, deleteTier, findTier, listTiers, updateTier } from '../operations/tiers/write-tier.js';
import {
  customerPageToProto,
  customerToProto,
  envelopeToProto,
  statementToProto,
  subscriptionToProto,
  tierToProto,
  unchargedPageToProto,
} from './to-proto.js';

/** Lists the RPCs on customers, tiers, usage and balances, and the hot RPCs. */
export function billingService(ctx: Context): Registration {
  return register(BillingService, {
    admit: (req, call) => admit(ctx, req, call),
    settle: (req, call) => settle(ctx, req, call),
    release: async (req, call) => {
      await releaseHolds(ctx, req, call);
      return {};
    },
    recordProgress: async (req) => ({ open: await recordProgress(ctx, req) }),

    createCustomer: async (req, call) => ({
      envelope: envelopeToProto(await createCustomer(ctx, call.requirePrincipal(), req)),
    }),
    upsertCustomer: async (req, call) => {
      const { customer, isNew } = await upsertCustomer(ctx, call.requirePrincipal(), req);
      return { envelope: envelopeToProto(customer), created: isNew };
    },
    getCustomer: async (req, call) => ({
      envelope: envelopeToProto(await findCustomer(ctx, call.requirePrincipal().projectId, req.by)),
    }),
    listCustomers: async (req, call) => customerPageToProto(await listCustomers(ctx, call.requirePrincipal(), req)),
    updateCustomer: async (req, call) => ({
      envelope: envelopeToProto(await updateCustomer(ctx, call.requirePrincipal(), req)),
    }),
    deleteCustomer: async (req, call) => {
      await deleteCustomer(ctx, call.requirePrincipal(), req);
      return {};
    },
    claimCustomer: async (req, call) => ({
      envelope: envelopeToProto(await claimCustomer(ctx, call.requirePrincipal(), req)),
    }),
    prepareCustomerToken: (req, call) => prepareToken(ctx, req, call),

    createTier: async (req, call) => ({
      tier: tierToProto(await createTier(ctx, call.requirePrincipal(), req), ctx.catalog),
    }),
    updateTier: async (req, call) => ({
      tier: tierToProto(await updateTier(ctx, call.requirePrincipal(), req), ctx.catalog),
    }),
    getTier: async (req, call) => ({
      tier: tierToProto(await findTier(ctx, call.requirePrincipal().projectId, req.by), ctx.catalog),
    }),
    listTiers: async (req, call) => {
      const tiers = await listTiers(ctx, call.requirePrincipal().projectId, req);
      return { tiers: tiers.map((tier) => tierToProto(tier, ctx.catalog)) };
    },
    deleteTier: async (req, call) => {
      await deleteTier(ctx, call.requirePrincipal(), req.id);
      return {};
    },

    getCustomerUsage: (req, call) => readCustomerUsage(ctx, call.requirePrincipal(), req.customerId),
    getCustomerBalance: (req, call) => readCustomerBalance(ctx, call.requirePrincipal(), req.customerId),
    listBalanceHistory: (req, call) => listBalanceHistory(ctx, call.requirePrincipal(), req),

    getAccountBalance: (_req, call) => readAccountBalance(ctx, call.requirePrincipal()),
    getAccountUsage: (req, call) => readAccountUsage(ctx, call.requirePrincipal(), req),
    verifyLedger: (_req, call) => verifyLedger(ctx, call.requirePrincipal()),
    listUnchargedUsage: async (req, call) =>
      unchargedPageToProto(await listUnchargedUsage(ctx, call.requirePrincipal(), req)),
    listStatements: (req, call) => listStatements(ctx, call.requirePrincipal(), req),
    getStatement: async (req, call) => statementToProto(await readStatement(ctx, call.requirePrincipal(), req, call)),
    listAccountStatements: (req, call) => listAccountStatements(ctx, call.requirePrincipal(), req),
    getAccountStatement: async (req, call) =>
      statementToProto(await readAccountStatement(ctx, call.requirePrincipal(), req, call)),
    withdrawCredit: (req, call) => withdrawCredit(ctx, call.requirePrincipal(), req),
    grantCredit: (req, call) => grantCredit(ctx, call.requirePrincipal(), req),
    setSubscription: async (req, call) => {
      const customer = await setSubscription(ctx, call.requirePrincipal(), req);
      return customer.subscription ? { subscription: subscriptionToProto(customer.subscription) } : {};
    },
  });
}

async function prepareToken(ctx: Context, req: PrepareCustomerTokenRequest, call: Call) {
  const { customer, tier } = await prepareCustomerToken(ctx, call.requirePrincipal(), req);
  return {
    customer: customerToProto(customer),
    tierCode: tier?.tierCode ?? '',
    billingProfileId: customer.id,
    tokenMaxTtlSeconds: tier?.customerTokenMaxTtlSeconds ?? undefined,
    rateLimitPerMinute: tier?.rateLimitPerMinute ?? undefined,
  };
}
