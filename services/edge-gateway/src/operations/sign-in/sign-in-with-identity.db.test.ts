import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OAuthIdentity } from '../../auth/oauth-providers.js';
import { type RouteTest, startRouteTest } from '../../testing/route-test.js';
import { registerOwner } from './register-owner.js';
import { signInWithIdentity } from './sign-in-with-identity.js';

let harness: RouteTest;
beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [], []);
});
afterAll(() => harness.stop());

const newIdentity = (email = `${randomUUID()}@example.com`): OAuthIdentity => ({
  provider: 'github',
  subject: randomUUID(),
  email,
});
const signIn = (identity: OAuthIdentity) => signInWithIdentity(harness.ctx, identity, registerOwner);

describe('signInWithIdentity', () => {
  it('registers one owner for concurrent first sign-ins of one identity, and knows it in the others', async () => {
    const identity = newIdentity();
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => signIn(identity)));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual([...Array(5).fill('known'), 'registered']);
    const ids = outcomes.map((outcome) => {
      if (outcome.kind === 'known') return outcome.user.id;
      return outcome.kind === 'registered' ? outcome.owner.user.id : outcome.kind;
    });
    expect(new Set(ids).size).toBe(1);
  });

  it('registers one owner for concurrent first sign-ins of two identities with one email', async () => {
    const first = newIdentity();
    const outcomes = await Promise.all([first, newIdentity(first.email)].map(signIn));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['email_taken', 'registered']);
  });
});
