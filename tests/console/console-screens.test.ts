// Every screen of the console with data of real traffic, in light and dark colors and on a phone.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import type { Browser } from 'playwright-core';
import { must, SANDBOX_MODEL, type TestProject, UPSTREAM_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';
import { type ConsolePage, openChromium, openConsole } from './console-page.js';
import { pageActions } from './page-actions.js';

/** Compressed bytes of everything that the first screen loads. */
const FIRST_SCREEN_BYTES_MAX = 200_000;

const OWNER = { email: 'owner@tollgate.local', password: 'a long pass phrase' };
// No server listens at the provider: requests fall back to the next route.
const SETTINGS = { DEV_OWNER_EMAIL: OWNER.email, XAI_BASE_URL: 'http://127.0.0.1:9/v1' };
const ask = (text: string) => ({
  model: SANDBOX_MODEL,
  input: [{ type: 'message', role: 'user', content: [{ type: 'text', text }] }],
});

describeWith('CHROMIUM_PATH', 'the screens of the console', (chromium) => {
  const system = useSystem({ env: SETTINGS });
  let browser: Browser;
  let shown: ConsolePage;
  const project = useProject(system);
  let ids: Record<string, string>;

  beforeAll(async () => {
    ids = await makeData(project, system.provider.anthropicBaseUrl);
    await system.query('UPDATE edge_gateway.users SET email = $1, email_key = $1', [OWNER.email]);
    browser = await openChromium(chromium);
    shown = await openConsole(browser, system.stack.httpUrl);
    await shown.open('');
    await pageActions(() => shown.page).enterAsLocalOwner();
  });
  afterAll(async () => {
    await shown?.close();
    await browser?.close();
  });

  const screens: [string, string][] = [
    ['overview', 'Usage and cost'],
    ['requests', 'Charged'],
    ['requests/:request', 'Cost of the provider'],
    ['requests/:fallback', 'the connection failed'],
    ['requests/:refused', 'Nothing was held for a refused request.'],
    ['usage', 'Save as CSV'],
    ['customers', 'New customer'],
    ['customers/:customer', 'Subscription'],
    ['customers/:customer?tab=usage', 'Spend limit'],
    ['customers/:customer?tab=wallet', 'No wallet'],
    ['customers/:customer?tab=requests', 'sandbox/echo-1'],
    ['customers/:customer?tab=runs', 'weekly_report'],
    ['customers?tier=paygo', 'bob@example.com'],
    ['customers?tier=paygo&q=nobody', 'No customer matches'],
    ['tiers', 'New tier'],
    ['tiers/new', 'Create the tier'],
    ['tiers/:tier', '1 subscriber'],
    ['payments', 'No payments'],
    ['uncharged', 'No uncharged usage'],
    ['statements', 'open'],
    ['statements/:month', 'Closing balance'],
    ['money', 'Top-ups'],
    ['money/statements', 'open'],
    ['money/statements/:month', 'Closing balance'],
    ['keys', 'New key'],
    ['runs', 'weekly_report'],
    ['runs?agent=helper&from=2026-01-01&to=2027-12-31', 'No such runs'],
    ['runs?from=2026-01-01&status=succeeded', 'weekly_report'],
    ['runs/:run', 'draft'],
    ['runs/:run?tab=nodes', 'review'],
    ['runs/:run?tab=timeline', 'run completed'],
    ['runs/:run?tab=steps', 'call 1'],
    ['runs/:run?tab=costs', 'review'],
    ['runs/:run?tab=outputs', 'Outputs'],
    ['runs/:waiting', 'Result of look_up'],
    ['sessions', 'Messages'],
    ['sessions/:session', 'What is in my plan?'],
    ['messages', 'Weekly figures'],
    ['messages?tab=mailboxes', 'helper'],
    ['messages/:message', 'Thread'],
    ['agents', 'helper'],
    ['agents/helper', 'Instructions'],
    ['agents/helper?tab=revisions', 'Be precise.'],
    ['agents/helper?tab=edit', 'Save'],
    ['agents/helper?tab=test', 'Results of tools'],
    ['agents/helper?tab=memory', 'Document'],
    ['new-agent', 'Create the agent'],
    ['state-handles', 'never'],
    ['state-handles/:state', 'Values'],
    ['sql-profiles', 'reports'],
    ['sql-profiles/new', 'Create the profile'],
    ['sql-profiles/:profile', 'Try a statement'],
    ['webhooks', 'https://hooks.example.com/events'],
    ['webhooks/:webhook', 'Deliveries'],
    ['tool-hooks', 'https://hooks.example.com/tools'],
    ['tool-hooks/:hook', 'Calls'],
    ['mcp-servers', 'https://mcp.example.com/notes'],
    ['mcp-servers/:server', 'Refresh the tools'],
    ['connections', 'my-vendor'],
    ['connections/:connection', 'Test the connection'],
    ['models', 'avoided'],
    ['playground', 'The same request with curl'],
    ['sign-ins', 'Browser or password'],
    ['audit', 'account.registered'],
    ['audit?action=account.registered', 'account.registered'],
    ['members', 'Open invitations'],
    ['settings', 'For your code'],
  ];

  it.each(screens)('shows %s with its data, accessible in both colors, on a phone too', async (path, text) => {
    await shown.open(`/p/${project.id}/${path.replace(/:(\w+)/, (_, name) => ids[name] as string)}`);
    await shown.page.getByText(text).first().waitFor();
    const name = path.replace(/\W+/g, '-');
    expect(await shown.findBlemishes()).toEqual([]);
    expect(await shown.measureOverflow()).toBe(0);
    for (const isDark of [false, true]) {
      await shown.setDark(isDark);
      expect(await shown.findBarriers()).toEqual([]);
      await shown.keepPicture(`${name}-${isDark ? 'dark' : 'light'}`);
    }
    await shown.onPhone(async () => {
      expect(await shown.findBarriers()).toEqual([]);
      await shown.keepPicture(`${name}-phone`);
    });
    expect(shown.faults).toEqual([]);
  });

  it('loads less than 200 kB for the first screen', async () => {
    const loaded = await openConsole(browser, system.stack.httpUrl);
    const urls = new Set<string>();
    loaded.page.on('request', (request) => urls.add(request.url()));
    await loaded.open('');
    await loaded.page.getByRole('button', { name: 'Continue as the local owner' }).click();
    await loaded.page.getByText('Usage and cost').first().waitFor();
    await loaded.close();
    const files = [...urls].filter((url) => url.includes('/console/assets/'));
    const sizes = await Promise.all(files.map(readCompressedSize));
    expect(sizes.length).toBeGreaterThan(5);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_SCREEN_BYTES_MAX);
  });
});

async function readCompressedSize(url: string): Promise<number> {
  const response = await fetch(url, { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } });
  return Number(response.headers.get('content-length'));
}

/** One of everything that the screens show, through the public API. */
async function makeData(project: TestProject, vendorUrl: string): Promise<Record<string, string>> {
  const { api, id } = project;
  const models = [{ model_id: SANDBOX_MODEL, is_default: true }];
  const paygo = { tier_code: 'paygo', display_name: 'Pay as you go', billing_mode: 'paygo', models };
  must(await project.owner.post(`/projects/${id}/tiers`, paygo), 201);
  const free = { tier_code: 'free', display_name: 'Free', spend_limit_cents: 500, models };
  const { tier } = must(await project.owner.post(`/projects/${id}/tiers`, free), 201);
  const { customer } = must(await api.post('/customers', { external_id: 'ada', email: 'ada@example.com' }), 201);
  const minted = must(await api.post('/auth/customer-token', { customer_id: customer.id, tier_code: 'free' }), 200);
  for (const text of ['Hello', 'Hello again']) must(await api.as(minted.token).post('/responses', ask(text)), 200);
  // The route that fails is avoided afterwards.
  for (let i = 0; i < 5; i++) must(await api.post('/responses', { ...ask('Hello'), model: 'test/fallback-1' }), 200);
  const poor = must(await api.post('/customers', { external_id: 'bob', email: 'bob@example.com' }), 201).customer;
  const poorToken = must(await api.post('/auth/customer-token', { customer_id: poor.id, tier_code: 'paygo' }), 200);
  must(await api.as(poorToken.token).post('/responses', ask('Hello')), 402);
  const agents = `/projects/${id}/agents`;
  const agent = { name: 'Helper', slug: 'helper', system: 'Answer briefly.', model: SANDBOX_MODEL };
  must(await project.owner.post(agents, agent), 201);
  must(await project.owner.patch(`${agents}/helper`, { system: 'Answer briefly.\nBe precise.' }), 200);
  const nodes = ['draft', 'review'].map((node) => ({ id: node, type: 'llm.responses', input: ask(node) }));
  const spec = {
    kind: 'workflow.v1',
    name: 'weekly_report',
    nodes,
    edges: [{ from: 'draft', to: 'review' }],
    outputs: [{ name: 'text', from: 'draft', pointer: '' }],
  };
  const { run_id } = must(await api.post('/runs', { spec }), 200);
  must(await api.as(minted.token).post('/runs', { spec }), 200);
  const waiting = await startWaitingRun(project);
  const state = must(await api.post('/state-handles', {}), 201);
  const policy = { dialect: 'postgres', read_only: true, tables: { allowlist: ['public.orders'] } };
  const { profile } = must(await project.owner.post(`/projects/${id}/sql-profiles`, { name: 'reports', policy }), 201);
  const events = { endpoint_url: 'https://hooks.example.com/events', events: ['customer.created'] };
  const { webhook } = must(await project.owner.post(`/projects/${id}/webhooks`, events), 201);
  const notes = { name: 'notes', endpoint_url: 'https://mcp.example.com/notes', headers: { 'X-Api-Key': 'not shown' } };
  const { server } = must(await project.owner.post(`/projects/${id}/mcp-servers`, notes), 201);
  const vendor = { name: 'my-vendor', wire: 'anthropic', base_url: vendorUrl };
  const brought = { ...vendor, keys: [{ secret: 'a-key-that-is-not-shown' }], models: [{ model: UPSTREAM_MODEL }] };
  const { connection } = must(await project.owner.post(`/projects/${id}/connections`, brought), 201);
  const tools = { endpoint_url: 'https://hooks.example.com/tools', hook_type: 'pre_tool_use' };
  const { hook } = must(await project.owner.post(`/projects/${id}/tool-hooks`, tools), 201);
  const read = async (query: string) =>
    must(await project.owner.get(`/projects/${id}/requests?${query}`), 200).requests[0];
  const find = (query: string) => waitUntil(() => read(query), { what: `a request with ${query}` });
  const request = await find(`customer_id=${customer.id}&status=succeeded`);
  const fallback = await find('model=test/fallback-1');
  const refused = await find('status=refused');
  const session = must(await api.post('/sessions', { customer_id: customer.id, metadata: { topic: 'plans' } }), 201);
  const question = { role: 'user', content: 'What is in my plan?' };
  must(await api.post(`/sessions/${session.id}/messages`, question), 201);
  const mail = { to: `agent:helper@${id}`, subject: 'Weekly figures', body: { text: 'Please send them.' } };
  const sent = must(await api.post('/messages', mail), 201);
  const reply = { to: `agent:api@${id}`, from: mail.to, subject: 'Re: Weekly figures', thread_id: sent.id };
  const message = must(await api.post('/messages', { ...reply, body: { text: 'Here they are.' } }), 201);
  const { statements } = must(await project.owner.get(`/projects/${id}/statements`), 200);
  const { month } = statements[0];
  return {
    month,
    session: session.id,
    request: request.id,
    fallback: fallback.id,
    refused: refused.id,
    customer: customer.id,
    tier: tier.id,
    run: run_id,
    waiting,
    state: state.id,
    profile: profile.id,
    webhook: webhook.id,
    hook: hook.id,
    server: server.id,
    connection: connection.id,
    message: message.id,
  };
}

/** A run whose model has called a tool that the client runs. */
async function startWaitingRun({ api }: TestProject): Promise<string> {
  const tools = [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } }];
  const request = { ...ask('call tool look_up'), tools };
  const input = { request, tool_execution: { mode: 'client' } };
  const nodes = [{ id: 'ask', type: 'llm.responses', input }];
  const outputs = [{ name: 'text', from: 'ask', pointer: '' }];
  const spec = { kind: 'workflow.v0', name: 'order_status', nodes, edges: [], outputs };
  const { run_id } = must(await api.post('/runs', { spec }), 200);
  const isWaiting = async () => must(await api.get(`/runs/${run_id}`), 200).status === 'waiting';
  await waitUntil(isWaiting, { what: 'a run that waits for a tool' });
  return run_id;
}
