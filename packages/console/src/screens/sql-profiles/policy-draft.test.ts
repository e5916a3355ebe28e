import { describe, expect, it } from '@jest/globals';
import { newPolicy, toDraft, toPolicy } from './policy-draft.js';

const limits = { default_limit: 10, max_limit: 20, timeout_ms: 3_000 };

describe('toPolicy', () => {
  it('sends names line by line, and no restriction for what is empty', () => {
    const policy = toPolicy({ ...newPolicy(), allowed: ' orders \n\npublic.items', timeoutMs: '' });
    expect(policy).toMatchObject({
      tables: { allowlist: ['orders', 'public.items'], denylist: null },
      columns: { hidden: null },
      limits: { default_limit: 100, max_limit: 1_000, timeout_ms: null },
    });
  });

  it('sends back a policy that was not changed, with what the form does not show', () => {
    const policy = {
      ...{ dialect: 'mysql', read_only: false, tables: { allowlist: [], denylist: ['users'] } },
      ...{ columns: { hidden: ['a.b'] }, subqueries: { allowed: false }, limits, joins: { max_joins: 2 } },
    } as const;
    const stored = { ...policy, tables: { allowlist: [], denylist: ['users'] }, columns: { hidden: ['a.b'] } };
    expect(toPolicy(toDraft(stored), stored)).toEqual(policy);
  });
});
