import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { controllableClock, waitUntil } from '@tollgate/testkit';
import { authenticate } from '../../auth/authenticate.js';
import { type RouteTest, startRouteTest } from '../../testing/route-test.js';
import { logOut } from './log-out.js';
import { refreshSession } from './refresh-session.js';
import { type SessionTokens, startSession } from './start-session.js';

const clock = controllableClock(new Date());
let harness: RouteTest;
let signIn: () => Promise<SessionTokens>;

beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [], [], { clock });
  const [user] = (await harness.ctx.pool.query('SELECT id FROM users LIMIT 1')).rows;
  const owner = (await harness.ctx.directory.owner(user.id))!;
  signIn = () => startSession(harness.ctx, user.id, owner.project.projectId);
});

afterAll(() => harness.stop());

async function waitingConnections(): Promise<number> {
  const result = await harness.ctx.pool.query(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'",
    [harness.ctx.config.database.schema],
  );
  return result.rows[0].count;
}

const isAccepted = (tokens: SessionTokens) =>
  authenticate({ authorization: `Bearer ${tokens.accessToken}` }, harness.ctx).then(
    () => true,
    () => false,
  );

const asker = { address: '127.0.0.1', requestId: 'test' };

describe('refreshSession', () => {
  it('returns a new pair of the same session', async () => {
    const first = await signIn();
    const second = (await refreshSession(harness.ctx, first.refreshToken, asker))!;
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(await isAccepted(first)).toBe(true);
    expect(await isAccepted(second)).toBe(true);
  });

  it('ends the whole session when an exchanged token is reused', async () => {
    const first = await signIn();
    const second = (await refreshSession(harness.ctx, first.refreshToken, asker))!;
    const third = (await refreshSession(harness.ctx, second.refreshToken, asker))!;
    const bystander = await signIn();
    expect(await refreshSession(harness.ctx, first.refreshToken, asker)).toBeUndefined();
    expect(await refreshSession(harness.ctx, third.refreshToken, asker)).toBeUndefined();
    for (const tokens of [first, second, third]) expect(await isAccepted(tokens)).toBe(false);
    expect(await isAccepted(bystander)).toBe(true);
    expect(await refreshSession(harness.ctx, bystander.refreshToken, asker)).toBeDefined();
  });

  it('accepts one of two concurrent exchanges and treats the other as theft', async () => {
    const { refreshToken } = await signIn();
    // The lock on the session's row makes both wait in the middle of their exchange.
    const holder = await harness.ctx.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM sessions FOR UPDATE');
    const both = Promise.all([
      refreshSession(harness.ctx, refreshToken, asker),
      refreshSession(harness.ctx, refreshToken, asker),
    ]);
    await waitUntil(async () => (await waitingConnections()) === 2, { what: 'both exchanges to wait' });
    await holder.query('COMMIT');
    holder.release();
    const won = (await both).filter((tokens) => tokens !== undefined);
    expect(won).toHaveLength(1);
    expect(await refreshSession(harness.ctx, won[0]!.refreshToken, asker)).toBeUndefined();
  });

  it('rejects an expired token and a token that was never issued', async () => {
    const { refreshToken } = await signIn();
    expect(await refreshSession(harness.ctx, 'rt_unknown', asker)).toBeUndefined();
    clock.advance({ days: 31 });
    expect(await refreshSession(harness.ctx, refreshToken, asker)).toBeUndefined();
  });

  it('stores no token in the clear', async () => {
    const { refreshToken } = await signIn();
    const { rows } = await harness.ctx.pool.query('SELECT encode(token_hash, $1) AS hash FROM refresh_tokens', [
      'escape',
    ]);
    expect(JSON.stringify(rows)).not.toContain(refreshToken.slice(3));
  });
});

describe('logOut', () => {
  it('ends the refresh and access tokens of that session only', async () => {
    const [leaving, staying] = [await signIn(), await signIn()];
    await logOut(harness.ctx, leaving.refreshToken);
    expect(await isAccepted(leaving)).toBe(false);
    expect(await refreshSession(harness.ctx, leaving.refreshToken, asker)).toBeUndefined();
    expect(await isAccepted(staying)).toBe(true);
  });

  it('does nothing for an unknown token', async () => {
    await expect(logOut(harness.ctx, 'rt_unknown')).resolves.toBeUndefined();
  });
});
