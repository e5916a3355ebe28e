import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatApiKey } from '../domain/api-key.js';
import { authenticate } from '../http/authenticate.js';
import { type RouteTest, startRouteTest } from '../testing/route-test.js';
import { ensureDemoOwner } from './ensure-demo-owner.js';
import { logIn } from './log-in.js';
import { revokeApiKey } from './revoke-api-key.js';

let test: RouteTest;
const wish = {
  email: 'Owner@Tollgate.local',
  password: 'a long enough password',
  projectName: 'Demo',
  secretKey: formatApiKey('tg_', 'secret', randomBytes(32)),
  publishableKey: formatApiKey('tg_', 'publishable', randomBytes(32)),
};

beforeAll(async () => {
  test = await startRouteTest(import.meta.url, [], []);
});

afterAll(() => test.stop());

describe('ensureDemoOwner', () => {
  it('makes owner, project and keys once, however often it is asked', async () => {
    const first = await ensureDemoOwner(test.ctx, wish);
    const second = await ensureDemoOwner(test.ctx, wish);
    const { tokens: _first, ...a } = first;
    const { tokens: _second, ...b } = second;
    expect(b).toEqual(a);
    expect(a).toMatchObject({ secretKey: wish.secretKey, publishableKey: wish.publishableKey });
    expect(await logIn(test.ctx, wish.email.toLowerCase(), wish.password)).toMatchObject({ id: a.userId });
    for (const key of [wish.secretKey, wish.publishableKey]) {
      expect(await authenticate({ authorization: `Bearer ${key}` }, test.ctx)).toMatchObject({
        projectId: a.projectId,
        accountId: a.accountId,
      });
    }
  });

  it('replaces a key that was revoked', async () => {
    const before = await ensureDemoOwner(test.ctx, wish);
    const { keyId } = await authenticate({ authorization: `Bearer ${wish.secretKey}` }, test.ctx);
    await revokeApiKey(test.ctx, before.accountId, keyId);
    const after = await ensureDemoOwner(test.ctx, wish);
    expect(after.secretKey).not.toBe(wish.secretKey);
    expect(await authenticate({ authorization: `Bearer ${after.secretKey}` }, test.ctx)).toMatchObject({
      projectId: before.projectId,
    });
  });

  it('refuses keys of the wrong form', async () => {
    await expect(ensureDemoOwner(test.ctx, { ...wish, secretKey: wish.publishableKey })).rejects.toThrow(/tg_sk_/);
  });
});
