import { expect, it } from '@jest/globals';
import type { get } from '../../api/client.js';
import { findByText } from './find-by-text.js';

const ID = '0b6f7f9e-7a0e-4d4e-9f3c-6a1f6a0f2a11';
const PROJECT = '/projects/p1';

/** Answers known paths and fails all others, as the API answers 404. */
function answering(answers: Record<string, unknown>) {
  const asked: string[] = [];
  const getJson = (async (path: string, query: Record<string, unknown> = {}) => {
    asked.push(`${path.slice(PROJECT.length + 1)} ${query.q ?? query.request_id ?? ''}`.trim());
    const answer = answers[path.slice(PROJECT.length + 1)];
    if (answer === undefined) throw new Error('404');
    return answer;
  }) as typeof get;
  return { asked, getJson };
}

const EMPTY = { tiers: { tiers: [] }, 'api-keys': { api_keys: [] }, requests: { requests: [] } };

it.each([
  ['requests', 'Request'],
  ['runs', 'Run'],
  ['messages', 'Message'],
  ['sessions', 'Session'],
  ['webhooks', 'Webhook'],
  ['tool-hooks', 'Tool hook'],
])('finds what has the id among %s', async (path, kind) => {
  const { getJson } = answering({ ...EMPTY, [`${path}/${ID}`]: {} });
  expect(await findByText(getJson, 'p1', ID)).toEqual([{ kind, title: ID, path: `${path}/${ID}` }]);
});

it('finds customers, tiers, keys and payments by id', async () => {
  const { getJson } = answering({
    ...EMPTY,
    [`customers/${ID}`]: { customer: { id: ID, external_id: 'user-1' } },
    [`payments/${ID}`]: {},
    tiers: { tiers: [{ id: ID, tier_code: 'pro', display_name: 'Pro' }] },
    'api-keys': { api_keys: [{ id: ID, label: 'server' }] },
  });
  expect((await findByText(getJson, 'p1', ID)).map(({ kind, title }) => [kind, title])).toEqual([
    ['Customer', 'user-1'],
    ['Tier', 'Pro'],
    ['Key', 'server'],
    ['Payment', ID],
  ]);
});

it("finds a response's request once", async () => {
  const { getJson } = answering({
    ...EMPTY,
    [`requests/${ID}`]: {},
    requests: { requests: [{ id: ID, request_id: ID }] },
  });
  expect(await findByText(getJson, 'p1', `resp_${ID}`)).toEqual([
    { kind: 'Request', title: ID, path: `requests/${ID}` },
  ]);
});

it('finds customers, agents and requests by name, and asks for no id', async () => {
  const { asked, getJson } = answering({
    ...EMPTY,
    customers: { customers: [{ customer: { id: ID, external_id: 'helper', email: 'h@example.com' } }] },
    'agents/helper': {},
    requests: { requests: [{ id: ID, request_id: 'helper' }] },
  });
  expect((await findByText(getJson, 'p1', 'helper')).map(({ kind, path }) => [kind, path])).toEqual([
    ['Customer', `customers/${ID}`],
    ['Agent', 'agents/helper'],
    ['Request', `requests/${ID}`],
  ]);
  expect(asked.sort()).toEqual(['agents/helper', 'api-keys', 'customers helper', 'requests helper', 'tiers']);
});
