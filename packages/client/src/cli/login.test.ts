import { rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { BASE_URL, brokenConnection, json, type Recorded } from '../testing/fake-gateway.js';
import { type FakeShell, fakeShell } from '../testing/fake-shell.js';
import { readSignIn, writeSignIn } from './credentials-file.js';

const session = { access_token: 'a1', refresh_token: 'r1', expires_at: '2999-01-01T00:00:00Z' };
const user = { user: { email: 'ada@example.com' } };
let shell: FakeShell;

function use(answers: Parameters<typeof fakeShell>[0]): FakeShell {
  shell = fakeShell(answers);
  return shell;
}
afterEach(() => rmSync(dirname(shell.config.folder), { recursive: true, force: true }));

const readBody = ({ body }: Recorded) => JSON.parse(body ?? 'null');
const bearer = ({ headers }: Recorded) => headers.get('authorization');

describe('login', () => {
  it('signs an owner in, and keeps the credential in a file that only its owner reads', async () => {
    use({ 'POST /api/v1/auth/login': () => session, 'GET /api/v1/auth/me': () => user });
    shell.secret = 'a password';
    expect(await shell.run('login', '--email', 'ada@example.com')).toBe(0);
    expect(readBody(shell.gateway.requests[0] as Recorded)).toEqual({
      email: 'ada@example.com',
      password: 'a password',
    });
    const file = join(shell.config.folder, 'credentials.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(shell.config.folder).mode & 0o777).toBe(0o700);
    expect(await shell.run('whoami', '--json')).toBe(0);
    expect(JSON.parse(shell.out.join(''))).toMatchObject({ credential: 'owner', owner: 'ada@example.com' });
    expect(bearer(shell.gateway.requests[1] as Recorded)).toBe('Bearer a1');
  });

  it('signs a customer in by the device flow', async () => {
    const pending = (error: string, interval: number) => json({ error, error_description: 'd', interval }, 400);
    const polls = [
      pending('authorization_pending', 5),
      pending('slow_down', 10),
      json({ token: 'c1', project_id: 'p' }),
    ];
    const device = {
      ...{ device_code: 'dc', user_code: 'BCDF-GHJK', verification_uri: 'http://x', expires_in: 900, interval: 5 },
      verification_uri_complete: 'http://x?user_code=BCDF-GHJK',
    };
    use({ 'POST /api/v1/auth/device/start': () => device, 'POST /api/v1/auth/device/token': () => polls.shift() });
    expect(await shell.run('login', '--device', 'pk_1')).toBe(0);
    expect(shell.err.join('\n')).toContain('Open http://x?user_code=BCDF-GHJK');
    expect(shell.gateway.requests.map(bearer)).toEqual(Array(4).fill('Bearer pk_1'));
    expect(await readSignIn(shell)).toMatchObject({ kind: 'customer', token: 'c1', project_id: 'p' });
  });

  it('reports that the person denied the device', async () => {
    const device = { device_code: 'dc', user_code: 'A', verification_uri_complete: 'u', expires_in: 9, interval: 1 };
    use({
      'POST /api/v1/auth/device/start': () => device,
      'POST /api/v1/auth/device/token': () =>
        json({ error: 'access_denied', error_description: 'the user said no' }, 400),
    });
    expect(await shell.run('login', '--device', 'pk_1')).toBe(1);
    expect(shell.err.join('\n')).toContain('error: the user said no (access_denied)');
  });

  it('checks a secret key before it keeps it', async () => {
    use({ 'GET /api/v1/tiers': () => ({ tiers: [{ project_id: 'p' }] }) });
    shell.secret = 'sk_1';
    expect(await shell.run('login', '--secret-key')).toBe(0);
    expect(await readSignIn(shell)).toMatchObject({ kind: 'secret_key', token: 'sk_1', project_id: 'p' });
    use({ 'GET /api/v1/tiers': () => json({ error: 'unauthorized' }, 401) });
    shell.secret = 'sk_wrong';
    expect(await shell.run('login', '--secret-key')).toBe(3);
    expect(await readSignIn(shell)).toBeUndefined();
  });

  it('signs an owner in by the device flow', async () => {
    const polls = [
      json({ error: 'authorization_pending', error_description: 'd', interval: 5 }, 400),
      json({ error: 'slow_down', error_description: 'd', interval: 10 }, 400),
      json(session),
    ];
    const device = {
      ...{ device_code: 'odc', user_code: 'BCDF-GHJK', verification_uri: 'http://x', expires_in: 900, interval: 5 },
      verification_uri_complete: 'http://x?user_code=BCDF-GHJK',
    };
    use({
      'POST /api/v1/auth/owner-device/start': () => device,
      'POST /api/v1/auth/owner-device/token': () => polls.shift(),
    });
    const startMs = shell.nowMs();
    expect(await shell.run('login')).toBe(0);
    expect(shell.nowMs() - startMs).toBe(20_000);
    expect(shell.err.join('\n')).toContain('Open http://x?user_code=BCDF-GHJK');
    expect(shell.err.join('\n')).toContain('the code BCDF-GHJK');
    expect(shell.gateway.requests.map(bearer)).toEqual(Array(4).fill(null));
    expect(shell.gateway.requests.map(readBody).slice(0, 2)).toEqual([
      { client_name: 'tollgate CLI on m' },
      { device_code: 'odc' },
    ]);
    expect(await readSignIn(shell)).toMatchObject({ kind: 'owner', token: 'a1', refresh_token: 'r1' });
  });

  it('keeps polling over lost connections and refusals that pass, ever more slowly', async () => {
    const answers = [
      brokenConnection(),
      json({ error: 'api_error', code: 'INTERNAL_ERROR', message: 'm', retryable: true }, 503),
      new Response('<h1>Bad Gateway</h1>', { status: 502 }),
      json({ error: 'rate_limited', message: 'm', retryable: true }, 429, { 'retry-after': '60' }),
      json({ error: 'authorization_pending', error_description: 'd', interval: 5 }, 400),
      json(session),
    ];
    const device = { device_code: 'odc', user_code: 'A', verification_uri_complete: 'u', expires_in: 900, interval: 5 };
    use({
      'POST /api/v1/auth/owner-device/start': () => device,
      'POST /api/v1/auth/owner-device/token': () => {
        const next = answers.shift();
        if (next instanceof Error) throw next;
        return next;
      },
    });
    const startMs = shell.nowMs();
    expect(await shell.run('login')).toBe(0);
    expect(shell.nowMs() - startMs).toBe((5 + 10 + 20 + 40 + 60 + 5) * 1000);
    expect(await readSignIn(shell)).toMatchObject({ kind: 'owner', token: 'a1' });
  });

  it('names the lost connection when the code expires during it', async () => {
    const device = { device_code: 'odc', user_code: 'A', verification_uri_complete: 'u', expires_in: 60, interval: 5 };
    use({
      'POST /api/v1/auth/owner-device/start': () => device,
      'POST /api/v1/auth/owner-device/token': () => {
        throw brokenConnection();
      },
    });
    const startMs = shell.nowMs();
    expect(await shell.run('login')).toBe(3);
    expect(shell.nowMs() - startMs).toBe(60_000);
    expect(shell.err.join('\n')).toContain('the code has expired; last failure: the connection to http://gateway.test');
  });

  it('stops when the code of an owner has expired', async () => {
    const device = { device_code: 'odc', user_code: 'A', verification_uri_complete: 'u', expires_in: 9, interval: 5 };
    use({
      'POST /api/v1/auth/owner-device/start': () => device,
      'POST /api/v1/auth/owner-device/token': () =>
        json({ error: 'authorization_pending', error_description: 'd' }, 400),
    });
    expect(await shell.run('login')).toBe(3);
    expect(shell.err.join('\n')).toContain('the code has expired');
    expect(await readSignIn(shell)).toBeUndefined();
  });

  it('explains what is missing', async () => {
    use({});
    shell.config.url = undefined;
    expect(await shell.run('login', '--dev')).toBe(2);
    expect(shell.err.join('\n')).toContain('TOLLGATE_URL');
  });
});

describe('the saved sign-in', () => {
  const saved = { kind: 'owner', base_url: BASE_URL, token: 'old', refresh_token: 'r0' } as const;

  it('refreshes a session that has ended, and keeps the new tokens', async () => {
    use({
      'GET /api/v1/auth/me': (request) =>
        bearer(request) === 'Bearer a1' ? user : json({ error: 'unauthorized' }, 401),
      'POST /api/v1/auth/refresh': () => session,
    });
    await writeSignIn(shell, saved);
    expect(await shell.run('whoami')).toBe(0);
    expect(await readSignIn(shell)).toMatchObject({ token: 'a1', refresh_token: 'r1' });
  });

  it('uses the tokens of another command instead of a second refresh', async () => {
    use({
      'GET /api/v1/auth/me': async (request) => {
        if (bearer(request) === 'Bearer theirs') return user;
        await writeSignIn(shell, { ...saved, token: 'theirs', refresh_token: 'r9' });
        return json({ error: 'unauthorized' }, 401);
      },
    });
    await writeSignIn(shell, saved);
    expect(await shell.run('whoami')).toBe(0);
    expect(shell.gateway.requests.map(({ url }) => url.pathname)).not.toContain('/api/v1/auth/refresh');
  });

  it('ends with the session at logout', async () => {
    use({ 'POST /api/v1/auth/logout': () => new Response(null, { status: 204 }) });
    await writeSignIn(shell, saved);
    expect(await shell.run('logout')).toBe(0);
    expect(readBody(shell.gateway.requests[0] as Recorded)).toEqual({ refresh_token: 'r0' });
    expect(await readSignIn(shell)).toBeUndefined();
  });

  it('stays at its gateway', async () => {
    use({});
    await writeSignIn(shell, saved);
    expect(await shell.run('projects', '--url', 'http://other.test')).toBe(3);
    expect(shell.gateway.requests).toEqual([]);
  });
});
