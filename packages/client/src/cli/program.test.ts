import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { brokenConnection, json, streamed } from '../testing/fake-gateway.js';
import { type FakeShell, fakeShell } from '../testing/fake-shell.js';

let shell: FakeShell;

/** Commands with a token of an owner, whose only project is `p`. */
function use(answers: Parameters<typeof fakeShell>[0]): FakeShell {
  shell = fakeShell({ 'GET /api/v1/projects': () => ({ projects: [{ id: 'p', name: 'one' }] }), ...answers });
  shell.config.credential = `e30.${Buffer.from('{"typ":"access"}').toString('base64url')}.x`;
  return shell;
}
afterEach(() => rmSync(dirname(shell.config.folder), { recursive: true, force: true }));

const sent = () => shell.gateway.requests.map(({ method, url }) => `${method} ${url.pathname}${url.search}`);

describe('the command line', () => {
  it('prints a table, and with --json what the API returned', async () => {
    const projects = [
      { id: 'p1', name: 'first\u001b[2J', billing_mode: 'managed', created_at: '2026-01-02T03:04:05Z' },
    ];
    use({ 'GET /api/v1/projects': () => ({ projects }) });
    expect(await shell.run('projects', 'list')).toBe(0);
    expect(shell.out).toEqual(['ID  NAME       BILLING  CREATED', 'p1  first�[2J  managed  2026-01-02 03:04:05']);
    shell.out.length = 0;
    expect(await shell.run('projects', '--json')).toBe(0);
    expect(JSON.parse(shell.out.join(''))).toEqual(projects);
  });

  it.each([
    ['2 for a command that does not exist', ['projcts'], 2, 'projects'],
    [
      '2 for a command that a group does not have',
      ['tiers', 'lst'],
      2,
      "unknown command 'lst'; tiers has list, pull, push",
    ],
    ['2 for an argument too many', ['tiers', 'list', 'pro'], 2, 'too many arguments'],
    ['3 for a credential that is not accepted', ['tiers'], 3, 'Check TOLLGATE_API_KEY'],
    ['2 for a missing option', ['webhooks', 'listen'], 2, '--forward-to'],
    ['3 without a permission', ['keys'], 3, 'not permitted'],
    ['4 for what does not exist', ['customers', 'get', 'x'], 4, 'Check the id'],
    ['5 where money is missing', ['usage'], 5, 'tollgate balance'],
    ['6 while the service is unavailable', ['balance'], 6, 'TOLLGATE_URL'],
    ['0 for help', ['--help'], 0, ''],
  ])(
    'exits with %s',
    async (_what, args, code, hint) => {
      const refusal = (status: number) => () =>
        json({ error: 'api_error', code: 'X', message: 'not permitted', retryable: false }, status);
      use({
        'GET /api/v1/api-keys': refusal(403),
        'GET /api/v1/projects/p/usage': refusal(402),
        'GET /api/v1/projects/p/tiers': refusal(401),
        'GET /api/v1/account/balance': () => Promise.reject(brokenConnection()),
      });
      expect(await shell.run(...args)).toBe(code);
      expect(shell.err.join('\n')).toContain(hint);
    },
    20_000,
  );

  it('asks for the project when there are several', async () => {
    use({ 'GET /api/v1/projects': () => ({ projects: [{ id: 'a' }, { id: 'b' }] }) });
    expect(await shell.run('usage')).toBe(2);
    expect(shell.err.join('\n')).toContain('--project');
  });

  it('shows usage by group with a total', async () => {
    const row = { requests: 2, failed: 1, refused: 0, input_tokens: 10, output_tokens: 20, duration_p95_ms: 7 };
    const money = { revenue_microcents: 1_234_500_000, cost_microcents: 100_000_000, margin_microcents: -1_000_000 };
    const usage = [{ ...row, ...money, group: 'gpt' }];
    use({ 'GET /api/v1/projects/p/usage': () => ({ usage, totals: { ...row, ...money }, has_more: false }) });
    expect(await shell.run('usage', '--group-by', 'model', '--from', '2026-01-01')).toBe(0);
    expect(sent().at(-1)).toBe('GET /api/v1/projects/p/usage?from=2026-01-01&group_by=model&interval=total');
    expect(shell.out).toEqual([
      'MODEL  REQUESTS  FAILED  INPUT  OUTPUT  REVENUE  COST   MARGIN  P95 MS',
      'gpt           2       1     10      20  $12.345  $1.00  -$0.01       7',
      'total         2       1     10      20  $12.345  $1.00  -$0.01       7',
    ]);
  });

  it('follows a run to its end, and fails when the run does not complete', async () => {
    const event = (seq: number, type: string, more = {}) =>
      `${JSON.stringify({ seq, type, ts: '2026-01-01T10:00:00.000Z', ...more })}\n`;
    const error = { code: 'TOOL_UNHANDLED', message: 'no tool' };
    use({
      'GET /api/v1/projects/p/runs/r/events': () =>
        streamed([
          event(1, 'run_started'),
          event(2, 'node_failed', { node_id: 'n', error }),
          event(3, 'run_failed', { error }),
        ]),
    });
    expect(await shell.run('runs', 'watch', 'r')).toBe(1);
    expect(shell.out).toEqual([
      '10:00:00.000    1 run_started',
      '10:00:00.000    2 node_failed n: TOOL_UNHANDLED no tool',
      '10:00:00.000    3 run_failed: TOOL_UNHANDLED no tool',
    ]);
  });

  it('prints new requests, each once, over several live views', async () => {
    const record = (id: string) =>
      `${JSON.stringify({ id, request_id: id, at: '2026-01-01T10:00:00.000Z', status: 'failed' })}\n`;
    let views = 0;
    use({
      'GET /api/v1/projects/p/requests/live': () => {
        views++;
        if (views === 3) shell.interrupt();
        return streamed(views === 1 ? [record('a'), record('b')] : [record('b'), record('c')]);
      },
    });
    expect(await shell.run('logs', 'tail', '--json')).toBe(130);
    expect(shell.out.map((line) => JSON.parse(line).id)).toEqual(['a', 'b', 'c']);
  });

  it('completes commands and options', async () => {
    use({});
    expect(await shell.run('complete', '--', 'tiers')).toBe(0);
    expect(shell.out).toEqual(expect.arrayContaining(['list', 'pull', 'push', '--json']));
    shell.out.length = 0;
    await shell.run('complete', '--', 'tiers', 'push');
    expect(shell.out).toEqual(expect.arrayContaining(['--dry-run', '--project']));
    expect(await shell.run('completion', 'bash')).toBe(0);
    expect(await shell.run('completion', 'tcsh')).toBe(2);
  });
});

describe('customers', () => {
  const id = '5f0c7a4e-8d3b-4c1f-9a52-6b7e1d2c3f40';
  const envelope = (externalId: string) => ({
    customer: { id, external_id: externalId, email: 'a@b.c', created_at: '2026-01-02T03:04:05Z' },
    subscription: null,
  });
  const list = 'GET /api/v1/projects/p/customers';
  const one = `GET /api/v1/projects/p/customers/${id}`;

  it('lists the newest first', async () => {
    use({ [list]: () => ({ customers: [] }) });
    expect(await shell.run('customers')).toBe(0);
    expect(sent().at(-1)).toBe('GET /api/v1/projects/p/customers?limit=100&sort=-created_at');
  });

  it('finds a customer by its id, or by its external id', async () => {
    const found = ({ url }: { url: URL }) =>
      url.searchParams.get('external_id') === 'user-17' ? [envelope('user-17')] : [];
    const balance = { balance_microcents: 100_000_000, reserved_microcents: 0, currency: 'usd' };
    use({
      [list]: (request) => ({ customers: found(request) }),
      [one]: () => envelope('user-17'),
      [`${one}/balance`]: () => balance,
    });
    for (const name of [id, 'user-17']) {
      shell.out.length = 0;
      expect(await shell.run('customers', 'get', name)).toBe(0);
      expect(shell.out).toContain('external id  user-17');
      expect(await shell.run('balance', '--customer', name)).toBe(0);
      expect(shell.out).toContain('balance   $1.00');
    }
    expect(await shell.run('customers', 'get', 'user-18')).toBe(4);
    expect(shell.err.join('\n')).toContain('no customer has the id or the external id user-18');
  });

  it('finds a customer whose external id looks like an id', async () => {
    const other = id.replace('5', '6');
    use({ [list]: () => ({ customers: [envelope(other)] }), [one]: () => envelope(other) });
    expect(await shell.run('customers', 'get', other)).toBe(0);
    expect(shell.out).toContain(`external id  ${other}`);
  });

  it('shows the requests of a customer that is named by its external id', async () => {
    use({ [list]: () => ({ customers: [envelope('u')] }), 'GET /api/v1/projects/p/requests/live': () => streamed([]) });
    expect(await shell.run('logs', 'tail', '--no-follow', '--customer', 'u')).toBe(0);
    expect(sent().at(-1)).toContain(`customer_id=${id}`);
  });
});

describe('raw calls', () => {
  it('sends any request of the API with the credential, and prints the answer', async () => {
    use({ 'GET /api/v1/account/usage': () => ({ a: 1 }), 'POST /v1/embeddings': ({ body }) => JSON.parse(body ?? '') });
    expect(await shell.run('api', 'get', '/account/usage?days=1')).toBe(0);
    expect(sent()).toEqual(['GET /api/v1/account/usage?days=1']);
    expect(JSON.parse(shell.out.join(''))).toEqual({ a: 1 });
    shell.out.length = 0;
    expect(await shell.run('api', 'POST', '/v1/embeddings', '--data', '{"input":"x"}')).toBe(0);
    expect(JSON.parse(shell.out.join(''))).toEqual({ input: 'x' });
    const { headers } = shell.gateway.requests.at(-1) ?? {};
    expect(headers?.get('authorization')).toBe(`Bearer ${shell.config.credential}`);
  });

  it.each([
    ['a path that is no path', ['api', 'GET', 'account'], 2, 'must start with /'],
    ['a body that is not JSON', ['api', 'POST', '/runs', '--data', '{'], 2, 'is not JSON'],
    ['a method that does not exist', ['api', 'LOOK', '/runs'], 2, 'LOOK'],
    ['a refusal of the service', ['api', 'GET', '/nothing'], 4, 'NOT_FOUND'],
  ])('rejects %s', async (_what, args, code, text) => {
    use({});
    expect(await shell.run(...args)).toBe(code);
    expect(shell.err.join('\n')).toContain(text);
  });
});

describe('tiers', () => {
  const models = [{ model_id: 'm', is_default: true, input_price_per_million_cents: 1, context_window: 9 }];
  const tier = (code: string, more = {}) => ({
    ...{ id: `id-${code}`, tier_code: code, display_name: code, billing_mode: 'subscription', models },
    ...{ overage_enabled: false, is_default: false, created_at: 'c', ...more },
  });

  it('writes tiers to files, which a push finds unchanged', async () => {
    use({
      'GET /api/v1/projects/p/tiers': () => ({ tiers: [tier('pro', { spend_limit_cents: null }), tier('../x')] }),
    });
    const folder = join(shell.config.folder, 'tiers');
    expect(await shell.run('tiers', 'pull', folder)).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['%2E.%2Fx.json', 'pro.json']);
    expect(JSON.parse(readFileSync(join(folder, 'pro.json'), 'utf8'))).toEqual({
      ...{ tier_code: 'pro', display_name: 'pro', billing_mode: 'subscription', spend_limit_cents: null },
      ...{ overage_enabled: false, is_default: false },
      models: [{ model_id: 'm', is_default: true, input_price_per_million_cents: 1 }],
    });
    expect(await shell.run('tiers', 'push', folder, '--json')).toBe(0);
    expect(JSON.parse(shell.out.join('')).map(({ kind }: { kind: string }) => kind)).toEqual([
      'unchanged',
      'unchanged',
    ]);
    expect(sent().filter((each) => !each.startsWith('GET'))).toEqual([]);
  });

  it('creates and updates tiers from files, and shows that first with --dry-run', async () => {
    use({
      'GET /api/v1/projects/p/tiers': () => ({ tiers: [tier('pro'), tier('old')] }),
      'POST /api/v1/projects/p/tiers': () => json({}, 201),
      'PUT /api/v1/projects/p/tiers/id-pro': () => ({}),
    });
    const folder = join(shell.config.folder, 'tiers');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.json'), JSON.stringify({ tier_code: 'new', display_name: 'New', models: [] }));
    writeFileSync(join(folder, 'b.json'), JSON.stringify({ tier_code: 'pro', display_name: 'Pro', models: [] }));
    expect(await shell.run('tiers', 'push', folder, '--dry-run')).toBe(0);
    expect(shell.out[0]).toBe('+ new');
    expect(shell.out).toContain('    display_name: "pro" → "Pro"');
    expect(shell.out.at(-1)).toBe('? old has no file; it is kept');
    expect(sent().filter((each) => !each.startsWith('GET'))).toEqual([]);
    expect(await shell.run('tiers', 'push', folder)).toBe(0);
    const writes = shell.gateway.requests.filter(({ method }) => method !== 'GET');
    expect(writes.map(({ url }) => url.pathname)).toEqual([
      '/api/v1/projects/p/tiers',
      '/api/v1/projects/p/tiers/id-pro',
    ]);
    expect(JSON.parse(writes[1]?.body ?? '')).toEqual({ display_name: 'Pro', models: [] });
  });

  it('names the tier that the service refuses', async () => {
    const fields = [{ field: 'models.0.model_id', message: 'unknown model m' }];
    const refusal = { error: 'api_error', code: 'VALIDATION_ERROR', message: 'bad', retryable: false, fields };
    let created = 0;
    use({
      'GET /api/v1/projects/p/tiers': () => ({ tiers: [] }),
      'POST /api/v1/projects/p/tiers': () => (created++ === 0 ? json({}, 201) : json(refusal, 400)),
    });
    const folder = join(shell.config.folder, 'tiers');
    mkdirSync(folder, { recursive: true });
    for (const code of ['a', 'b'])
      writeFileSync(join(folder, `${code}.json`), JSON.stringify({ tier_code: code, display_name: 'New', models }));
    expect(await shell.run('tiers', 'push', folder)).toBe(1);
    expect(shell.err).toEqual(['error: tier b: bad (VALIDATION_ERROR)', '  models.0.model_id: unknown model m']);
  });

  it.each([
    ['is not JSON', '{'],
    ['is no tier', '{"tier_code":"x"}'],
    ['has fields that a tier does not have: id', '{"tier_code":"x","display_name":"x","models":[],"id":"1"}'],
  ])('rejects a file that %s', async (problem, text) => {
    use({});
    const folder = join(shell.config.folder, 'tiers');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'x.json'), text);
    expect(await shell.run('tiers', 'push', folder)).toBe(2);
    expect(shell.err.join('\n')).toContain(problem);
  });
});

describe('webhooks trigger', () => {
  it('sends a test event to the endpoint', async () => {
    const answers = [
      { status: 'delivered', response_status: 204, response_body: '', latency_ms: 5, error: null },
      { status: 'failed', response_status: null, response_body: '', latency_ms: 0, error: 'ECONNREFUSED' },
    ];
    use({
      'GET /api/v1/projects/p/webhooks': () => ({ webhooks: [{ id: 'w', endpoint_url: 'https://a.test/hook' }] }),
      'GET /api/v1/projects/p/webhooks/w': () => ({ webhook: { id: 'w' } }),
      'POST /api/v1/projects/p/webhooks/w/test': () => answers.shift(),
    });
    expect(await shell.run('webhooks', 'trigger', 'customer.created')).toBe(0);
    expect(shell.gateway.requests.at(-1)?.body).toBe('{"event_type":"customer.created"}');
    expect(shell.out).toEqual(['status  delivered', 'answer  204', 'time    5 ms']);
    expect(await shell.run('webhooks', 'trigger', '--webhook', 'w')).toBe(1);
    expect(shell.out).toContain('error   ECONNREFUSED');
  });
});

describe('webhooks listen', () => {
  const webhook = {
    id: 'w',
    endpoint_url: 'https://a.test/hook',
    signature_form: 'standard',
    events: [],
    enabled: true,
  };
  const delivery = (id: string) => ({ id, event_id: `e-${id}`, event_type: 'request.completed', payload: { n: id } });

  it('forwards what arrives from now on, oldest first, and signs it', async () => {
    let polls = 0;
    use({
      'GET /api/v1/projects/p/webhooks': () => ({ webhooks: [webhook] }),
      'GET /api/v1/projects/p/webhooks/w/events': () => {
        polls++;
        if (polls === 3) shell.interrupt();
        return { events: polls === 1 ? [delivery('1')] : [delivery('3'), delivery('2'), delivery('1')] };
      },
      'POST /hook': () => new Response(null, { status: 204 }),
    });
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    expect(await shell.run('webhooks', 'listen', '--forward-to', 'http://local.test/hook', '--secret', secret)).toBe(
      130,
    );
    const forwarded = shell.gateway.requests.filter(({ method }) => method === 'POST');
    expect(forwarded.map(({ body }) => body)).toEqual(['{"n":"2"}', '{"n":"3"}']);
    expect(forwarded[0]?.headers.get('webhook-id')).toBe('e-2');
    expect(forwarded[0]?.headers.get('webhook-signature')).toMatch(/^v1,/);
    expect(forwarded[0]?.headers.has('authorization')).toBe(false);
    expect(shell.out).toEqual(['request.completed  e-2  → 204', 'request.completed  e-3  → 204']);
  });

  it.each([
    ['all types', [], expect.arrayContaining(['customer.created', 'request.completed', 'account.admission_blocked'])],
    ['one type', ['--event-type', 'request.completed'], ['request.completed']],
  ])('forwards %s from a temporary endpoint when the project has none, and removes it', async (_what, args, events) => {
    let polls = 0;
    use({
      'GET /api/v1/projects/p/webhooks': () => ({ webhooks: [] }),
      'POST /api/v1/projects/p/webhooks': ({ body }) => ({ webhook: { ...webhook, ...JSON.parse(body ?? '') } }),
      'GET /api/v1/projects/p/webhooks/w/events': () => {
        polls++;
        if (polls === 2) shell.interrupt();
        return { events: polls === 1 ? [] : [delivery('1')] };
      },
      'POST /hook': () => new Response(null, { status: 204 }),
      'DELETE /api/v1/projects/p/webhooks/w': () => new Response(null, { status: 204 }),
    });
    expect(await shell.run('webhooks', 'listen', '--forward-to', 'http://local.test/hook', ...args)).toBe(130);
    const created = shell.gateway.requests.find(({ method }) => method === 'POST');
    expect(JSON.parse(created?.body ?? '')).toMatchObject({
      endpoint_url: expect.stringMatching(/^https:\/\/\S+\.invalid\//),
      events,
      // Its events are kept, and sent nowhere.
      enabled: false,
    });
    expect(shell.out).toEqual(['request.completed  e-1  → 204']);
    expect(shell.err.join('\n')).toContain('temporary endpoint');
    expect(sent().at(-1)).toBe('DELETE /api/v1/projects/p/webhooks/w');
  });

  it('removes the temporary endpoint when it fails, and says so when it cannot', async () => {
    const refused = () => json({ error: 'api_error', code: 'X', message: 'no', retryable: false }, 403);
    use({
      'GET /api/v1/projects/p/webhooks': () => ({ webhooks: [] }),
      'POST /api/v1/projects/p/webhooks': () => ({ webhook }),
      'GET /api/v1/projects/p/webhooks/w/events': refused,
      'DELETE /api/v1/projects/p/webhooks/w': refused,
    });
    expect(await shell.run('webhooks', 'listen', '--forward-to', 'http://local.test/hook')).toBe(3);
    expect(shell.err.join('\n')).toContain('the temporary endpoint w was not removed');
  });

  it('continues when the local server does not answer', async () => {
    let polls = 0;
    use({
      'GET /api/v1/projects/p/webhooks': () => ({ webhooks: [webhook] }),
      'GET /api/v1/projects/p/webhooks/w/events': () => {
        polls++;
        if (polls === 3) shell.interrupt();
        return { events: polls === 1 ? [] : [delivery('1')] };
      },
      'POST /hook': () => Promise.reject(brokenConnection()),
    });
    expect(await shell.run('webhooks', 'listen', '--forward-to', 'http://local.test/hook')).toBe(130);
    expect(shell.out).toEqual(['request.completed  e-1  → ECONNRESET']);
  });
});
