// The figures of an account that a member from another account can read.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, responsesBody, tierBody } from '@tollgate/testkit';
import { must } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const INVITED = ['owner', 'admin', 'billing', 'viewer'] as const;

const system = useSystem();
const project = useProject(system);
/** Spends in both projects of the account, in each for one customer of its own. */
let ownCustomer: string;
let otherCustomer: string;

beforeAll(async () => {
  const customer = await project.customerOn('free');
  ownCustomer = customer.id;
  must(await customer.api.post('/responses', responsesBody()), 200);
  otherCustomer = await spendInOtherProject();
});

async function spendInOtherProject(): Promise<string> {
  const { id } = must(await project.owner.post('/projects', { name: 'Other' }), 201).project;
  const created = must(await project.owner.post('/api-keys', { label: 'other', project_id: id }), 201);
  const api = system.anonymous.as(created.api_key.secret_key);
  const { tier } = must(await project.owner.post(`/projects/${id}/tiers`, tierBody({ tier_code: 'free' })), 201);
  const { customer } = must(await api.post('/customers', { external_id: 'eve', email: 'eve@example.com' }), 201);
  const minted = await api.post('/auth/customer-token', { customer_id: customer.id, tier_code: tier.tier_code });
  must(await system.anonymous.as(must(minted, 200).token).post('/responses', responsesBody()), 200);
  return customer.id;
}

/** A user of another account who has accepted an invitation. */
async function joinAs(role: string): Promise<ApiClient> {
  const email = `${randomUUID()}@example.com`;
  const registered = must(await system.anonymous.post('/auth/register', { email, password: randomUUID() }), 201);
  const member = system.anonymous.as(registered.access_token);
  const { invitation } = must(await project.owner.post(`/projects/${project.id}/invitations`, { email, role }), 201);
  must(await member.post('/invitations/accept', { code: new URL(invitation.url).hash.slice(1) }), 200);
  return member;
}

const MONTH = new Date().toISOString().slice(0, 7);
const path = (rest: string) => `/projects/${project.id}/account/${rest}`;
const readCustomers = async (api: ApiClient): Promise<string[]> => {
  const { usage } = must(await api.get(path('usage?group_by=customer')), 200);
  return usage.map(({ group }: { group: string }) => group).sort();
};

describe.each(INVITED)('an invited member in the role %s', (role) => {
  it('returns the usage of the project alone, and no balance of the account', async () => {
    const member = await joinAs(role);
    expect(await readCustomers(member)).toEqual([ownCustomer]);
    for (const group of ['day', 'model', 'key']) {
      const { usage } = must(await member.get(path(`usage?group_by=${group}`)), 200);
      expect([group, usage.map(({ requests }: { requests: number }) => requests)]).toEqual([group, [1]]);
    }
    for (const closed of ['balance', 'statements', `statements/${MONTH}`])
      expect([closed, (await member.get(path(closed))).status]).toEqual([closed, 403]);
  });
});

it.each(['admin', 'developer'])('limits a key that an invited %s creates to its project', async (role) => {
  const member = await joinAs(role);
  const created = must(await member.post(`/projects/${project.id}/api-keys`, { label: 'member' }), 201);
  const key = system.anonymous.as(created.api_key.secret_key);
  const { usage } = must(await key.get('/account/usage?group_by=customer'), 200);
  expect(usage.map(({ group }: { group: string }) => group)).toEqual([ownCustomer]);
  for (const closed of ['balance', 'statements', `statements/${MONTH}`])
    expect([closed, (await key.get(`/account/${closed}`)).status]).toEqual([closed, 403]);
});

it('shows a user of the account all its projects', async () => {
  expect(await readCustomers(project.owner)).toEqual([ownCustomer, otherCustomer].sort());
  const { balance_microcents: balance } = must(await project.owner.get(path('balance')), 200);
  const { statement } = must(await project.owner.get(path(`statements/${MONTH}`)), 200);
  expect(statement.closing_balance_microcents).toBe(balance);
  const { statements } = must(await project.owner.get(path('statements')), 200);
  expect(statements.map(({ month }: { month: string }) => month)).toEqual([MONTH]);
});
