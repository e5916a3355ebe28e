import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { controllableClock } from '@tollgate/testkit';
import { authenticate } from '../http/authenticate.js';
import { type RouteTest, startRouteTest } from '../testing/route-test.js';
import { logOut } from './log-out.js';
import { refreshSession } from './refresh-session.js';
import { type SessionTokens, startSession } from './start-session.js';

const clock = controllableClock(new Date());
let test: RouteTest;
let signIn: () => Promise<SessionTokens>;

beforeAll(async () => {
  test = await startRouteTest(import.meta.url, [], [], { clock });
  const user = await test.ctx.db.user.findFirstOrThrow();
  const owner = (await test.ctx.directory.owner(user.id))!;
  signIn = () => startSession(test.ctx, user.id, owner.project.projectId);
});

afterAll(() => test.stop());

const isAccepted = (tokens: SessionTokens) =>
  authenticate({ authorization: `Bearer ${tokens.accessToken}` }, test.ctx).then(
    () => true,
    () => false,
  );

describe('refreshSession', () => {
  it('gives a new pair of the same session', async () => {
    const first = await signIn();
    const second = (await refreshSession(test.ctx, first.refreshToken))!;
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(await isAccepted(first)).toBe(true);
    expect(await isAccepted(second)).toBe(true);
  });

  it('ends the whole family when an exchanged token comes back', async () => {
    const first = await signIn();
    const second = (await refreshSession(test.ctx, first.refreshToken))!;
    const third = (await refreshSession(test.ctx, second.refreshToken))!;
    const bystander = await signIn();
    expect(await refreshSession(test.ctx, first.refreshToken)).toBeUndefined();
    expect(await refreshSession(test.ctx, third.refreshToken)).toBeUndefined();
    for (const tokens of [first, second, third]) expect(await isAccepted(tokens)).toBe(false);
    expect(await isAccepted(bystander)).toBe(true);
    expect(await refreshSession(test.ctx, bystander.refreshToken)).toBeDefined();
  });

  it('lets one of many exchanges at once win, and takes the others for theft', async () => {
    const { refreshToken } = await signIn();
    const all = await Promise.all(Array.from({ length: 20 }, () => refreshSession(test.ctx, refreshToken)));
    const won = all.filter((tokens) => tokens !== undefined);
    expect(won).toHaveLength(1);
    expect(await refreshSession(test.ctx, won[0]!.refreshToken)).toBeUndefined();
  });

  it('refuses an expired token and one that was never issued', async () => {
    const { refreshToken } = await signIn();
    expect(await refreshSession(test.ctx, 'rt_unknown')).toBeUndefined();
    clock.advance({ days: 31 });
    expect(await refreshSession(test.ctx, refreshToken)).toBeUndefined();
  });

  it('stores no token in the clear', async () => {
    const { refreshToken } = await signIn();
    const { rows } = await test.ctx.pool.query('SELECT encode(token_hash, $1) AS hash FROM refresh_tokens', ['escape']);
    expect(JSON.stringify(rows)).not.toContain(refreshToken.slice(3));
  });
});

describe('logOut', () => {
  it('ends refresh and access tokens of that session alone', async () => {
    const [leaving, staying] = [await signIn(), await signIn()];
    await logOut(test.ctx, leaving.refreshToken);
    expect(await isAccepted(leaving)).toBe(false);
    expect(await refreshSession(test.ctx, leaving.refreshToken)).toBeUndefined();
    expect(await isAccepted(staying)).toBe(true);
  });

  it('does nothing for an unknown token', async () => {
    await expect(logOut(test.ctx, 'rt_unknown')).resolves.toBeUndefined();
  });
});
