// What an owner does in the console with webhooks, keys, requests and the search.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Json, parseDelivery, startWebhookReceiver, type WebhookReceiver, waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import type { Browser, Page, Route } from 'playwright-core';
import { must, SANDBOX_MODEL, type System, type TestProject } from '../system/start-system.js';
import { type ConsolePage, openChromium, openConsole } from './console-page.js';
import { startWithLocalOwner } from './local-owner.js';
import { pageActions } from './page-actions.js';

describeWith('CHROMIUM_PATH', 'actions in the console', (chromium) => {
  let system: System;
  let browser: Browser;
  let project: TestProject;
  let receiver: WebhookReceiver;
  let shown: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    ({ system, project } = await startWithLocalOwner());
    receiver = await startWebhookReceiver();
    browser = await openChromium(chromium);
    shown = await openConsole(browser, system.stack.httpUrl);
    page = shown.page;
    await shown.open('');
    await enterAsLocalOwner();
  });
  afterAll(async () => {
    await shown?.close();
    await browser?.close();
    await receiver?.stop();
    await system?.stop();
  });

  const { press, see, enterAsLocalOwner } = pageActions(() => page);

  it('creates one customer although the first answer was lost', async () => {
    await shown.open(`/p/${project.id}/customers`);
    await press('New customer');
    await page.getByLabel('External id').fill('lost-answer');
    await page.getByLabel('Email').fill('lost@example.com');
    let posts = 0;
    await page.route(/\/projects\/[^/]+\/customers$/, async (route) => {
      if (route.request().method() !== 'POST' || posts++ > 0) return route.continue();
      await route.fetch();
      await route.abort();
    });
    const create = page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true });
    await create.click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await create.click();
    await page.waitForURL(/\/customers\/[0-9a-f-]{36}/);
    await page.unroute(/\/projects\/[^/]+\/customers$/);
    expect(posts).toBe(2);
    const path = `/projects/${project.id}/customers?external_id=lost-answer`;
    expect(must(await project.owner.get(path), 200).customers).toHaveLength(1);
  });

  it('sends a delivered webhook event again, with the same id', async () => {
    const body = { endpoint_url: receiver.url, events: ['customer.created'] };
    const { webhook } = must(await project.owner.post(`/projects/${project.id}/webhooks`, body), 201);
    must(await project.api.post('/customers', { external_id: 'resent', email: 'resent@example.com' }), 201);
    await receiver.waitForCount(1);
    await shown.open(`/p/${project.id}/webhooks/${webhook.id}`);
    await page.getByRole('cell', { name: 'delivered' }).waitFor();
    await press(/^Show customer\.created/);
    await press('Send again');
    await see('Event sent again');
    const [first, second] = await receiver.waitForCount(2);
    expect(parseDelivery(second!)).toEqual(parseDelivery(first!));
    expect(shown.faults).toEqual([]);
  });

  it('changes a webhook and a tool hook', async () => {
    const base = `/projects/${project.id}`;
    const { webhook } = must(
      await project.owner.post(`${base}/webhooks`, { endpoint_url: receiver.url, events: ['customer.deleted'] }),
      201,
    );
    await shown.open(`/p/${project.id}/webhooks/${webhook.id}`);
    await press('Change');
    await page.getByLabel('customer.updated').check();
    await page.getByLabel('Retries').selectOption('fast');
    await press('Save');
    await see('Webhook changed');
    const changed = must(await project.owner.get(`${base}/webhooks/${webhook.id}`), 200).webhook;
    expect(changed).toMatchObject({ events: ['customer.deleted', 'customer.updated'], retry_schedule: 'fast' });

    const body = { hook_type: 'pre_tool_use', endpoint_url: receiver.url };
    const { hook } = must(await project.owner.post(`${base}/tool-hooks`, body), 201);
    await shown.open(`/p/${project.id}/tool-hooks/${hook.id}`);
    await press('Change');
    await page.getByLabel('Timeout in seconds').fill('1.5');
    await page.getByLabel('When it fails').selectOption('fail_open');
    await press('Save');
    await see('Hook changed');
    const { hook: saved } = must(await project.owner.get(`${base}/tool-hooks/${hook.id}`), 200);
    expect(saved).toMatchObject({ timeout_ms: 1_500, fail_behavior: 'fail_open', hook_type: 'pre_tool_use' });
    must(await project.owner.delete(`${base}/tool-hooks/${hook.id}`), 204);
    expect(shown.faults).toEqual([]);
  });

  it('counts deliveries, and sends all failed ones again after the endpoint is repaired', async () => {
    const broken = await startWebhookReceiver();
    broken.answerWith({ status: 400 });
    const body = { endpoint_url: broken.url, events: ['customer.created'] };
    const { webhook } = must(await project.owner.post(`/projects/${project.id}/webhooks`, body), 201);
    for (const name of ['first', 'second', 'third'])
      must(await project.api.post('/customers', { external_id: name, email: `${name}@example.com` }), 201);
    await broken.waitForCount(3);
    broken.answerWith({});
    await shown.open(`/p/${project.id}/webhooks/${webhook.id}`);
    await waitUntil(async () => (await page.getByRole('cell', { name: 'failed', exact: true }).count()) === 3, {
      what: 'the failed deliveries',
    });
    await page.reload();
    await see('0.0 %');
    await press('More');
    await page.getByRole('menuitem', { name: 'Send failed deliveries again' }).click();
    await page.getByLabel('Since').selectOption('1');
    await page.getByRole('dialog').getByRole('button', { name: 'Send again', exact: true }).click();
    await see('3 deliveries were queued again.');
    await press('Close');
    await broken.waitForCount(6);
    const ids = broken.deliveries.map(({ headers }) => headers['x-service-event-id']);
    expect(new Set(ids.slice(3))).toEqual(new Set(ids.slice(0, 3)));
    await see('100.0 %');
    await broken.stop();
    expect(shown.faults).toEqual([]);
  });

  it('rotates a key: the new one works, and the old one as long as was chosen', async () => {
    const create = async (label: string) =>
      must(await project.owner.post('/api-keys', { label, project_id: project.id }), 201).api_key;
    const status = async (key: string) => (await system.anonymous.as(key).get('/tiers')).status;
    const rotate = async (label: string, overlap: string): Promise<string> => {
      await shown.open(`/p/${project.id}/keys`);
      await press(`More for ${label}`);
      await page.getByRole('menuitem', { name: 'Rotate' }).click();
      await page.getByLabel('The old key').selectOption(overlap);
      await press('Issue a new key');
      await page.getByRole('button', { name: 'I have copied it' }).waitFor();
      const secret = (await page.getByRole('dialog').locator('pre').textContent()) ?? '';
      await press('I have copied it');
      return secret;
    };
    const [lasting, ending] = [await create('lasting'), await create('ending')];
    const replaced = await rotate('lasting', '3600');
    expect([await status(replaced), await status(lasting.secret_key)]).toEqual([200, 200]);
    const successor = await rotate('ending', '0');
    expect(await status(successor)).toBe(200);
    await waitUntil(async () => (await status(ending.secret_key)) === 401, { what: 'the end of the old key' });
    expect(shown.faults).toEqual([]);
  });

  it("closes the project's MCP endpoint to customers in its settings", async () => {
    const offers = async () =>
      must(await project.owner.get(`/projects/${project.id}`), 200).project.mcp_for_customers as boolean;
    expect(await offers()).toBe(true);
    await shown.open(`/p/${project.id}/settings`);
    await page.getByLabel('Customers may use agents as MCP tools').uncheck();
    await press('Save');
    await see('Settings saved');
    expect(await offers()).toBe(false);
    expect(shown.faults).toEqual([]);
  });

  it('shows requests live as they end', async () => {
    await shown.open(`/p/${project.id}/requests`);
    await press('Follow live');
    await see('Waiting for requests');
    const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'Hello' }] }];
    must(await project.api.post('/responses', { model: SANDBOX_MODEL, input }), 200);
    await page.getByRole('cell', { name: 'succeeded' }).first().waitFor();
    await press('Stop following');
    expect(shown.faults).toEqual([]);
  });

  it('moves the graph of a run as its nodes end, without a reload', async () => {
    const toNode = (node: string, text: string) => ({
      id: node,
      type: 'llm.responses',
      input: { model: SANDBOX_MODEL, input: [{ type: 'message', role: 'user', content: [{ type: 'text', text }] }] },
    });
    const spec = {
      kind: 'workflow.v1',
      name: 'moving',
      nodes: [toNode('first', 'wait 8000 ms'), toNode('second', 'wait 3000 ms')],
      edges: [{ from: 'first', to: 'second' }],
      outputs: [{ name: 'text', from: 'second', pointer: '' }],
    };
    await shown.open(`/p/${project.id}/overview`);
    const { run_id } = must(await project.api.post('/runs', { spec }), 200);
    await shown.open(`/p/${project.id}/runs/${run_id}`);
    await page.evaluate('window.isSameDocument = true');
    for (const state of ['first: running', 'first: succeeded', 'second: running', 'second: succeeded']) {
      await page.getByLabel(state, { exact: true }).waitFor();
    }
    expect(await page.evaluate('window.isSameDocument')).toBe(true);
    expect(shown.faults).toEqual([]);
  });

  it('shows the end of a run that ends while its page opens', async () => {
    const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'wait 3000 ms' }] }];
    const node = { id: 'only', type: 'llm.responses', input: { model: SANDBOX_MODEL, input } };
    await shown.open(`/p/${project.id}/overview`);
    const { run_id } = must(await project.api.post('/runs', { spec: { kind: 'workflow.v1', nodes: [node] } }), 200);
    const hold = async (route: Route) => {
      const early = await route.fetch();
      await waitUntil(async () => (await project.api.get(`/runs/${run_id}`)).body.status === 'succeeded', {
        what: 'the end of the run',
      });
      await new Promise((resolve) => setTimeout(resolve, 500)); // the events of the end reach the page
      await route.fulfill({ response: early });
    };
    await page.route(new RegExp(`/projects/[^/]+/runs/${run_id}$`), hold, { times: 1 });
    await shown.open(`/p/${project.id}/runs/${run_id}`);
    await page.getByLabel('only: succeeded', { exact: true }).waitFor();
  });

  it('starts a run, and draws its graph up to the end', async () => {
    await shown.open(`/p/${project.id}/runs`);
    await press('Start a run');
    const workflow = page.getByLabel('Workflow');
    const sample = await workflow.inputValue();
    await workflow.fill('{');
    await press('Start');
    await page.getByText('This is not valid JSON').waitFor();
    await workflow.fill(sample);
    await press('Start');
    await page.getByRole('heading', { name: 'weekly_report' }).waitFor();
    await page.getByLabel('report: succeeded', { exact: true }).waitFor();
    expect(await page.locator('.react-flow__edge').count()).toBe(2);
    expect(shown.faults).toEqual([]);
  });

  it('blocks a customer, whose requests are refused until it is unblocked', async () => {
    const { customer } = must(
      await project.api.post('/customers', { external_id: 'mallory', email: 'm@example.com' }),
      201,
    );
    const models = [{ model_id: SANDBOX_MODEL, is_default: true }];
    const tier = { tier_code: 'free', display_name: 'Free', spend_limit_cents: 500, models };
    must(await project.owner.post(`/projects/${project.id}/tiers`, tier), 201);
    const minted = must(
      await project.api.post('/auth/customer-token', { customer_id: customer.id, tier_code: 'free' }),
      200,
    );
    const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'Hello' }] }];
    const ask = async () => (await project.api.as(minted.token).post('/responses', { input })).status;
    const choose = async (action: string, done: string) => {
      await press('More');
      await page.getByRole('menuitem', { name: action, exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
      await see(done);
    };
    expect(await ask()).toBe(200);
    await shown.open(`/p/${project.id}/customers/${customer.id}`);
    await choose('Block', 'Customer blocked');
    await waitUntil(async () => (await ask()) === 403, { what: 'the refusal' });
    await choose('Unblock', 'Customer unblocked');
    await waitUntil(async () => (await ask()) === 200, { what: 'an answer' });
    expect(shown.faults).toEqual([]);
  });

  it('shows the request that fills the mailboxes, sends a message, marks it as read and answers it', async () => {
    must(await project.owner.post(`/projects/${project.id}/agents`, { name: 'Helper', slug: 'helper' }), 201);
    await shown.open(`/p/${project.id}/messages`);
    await see('No messages yet');
    await page.getByText('curl ').first().waitFor();
    await shown.keepPicture('messages-empty');
    await press('Send a message');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('To').fill('helper');
    await dialog.getByLabel('Subject').fill('A test');
    await dialog.getByLabel('Body').fill('[1]');
    await press('Send');
    await see('Write a JSON object');
    expect(await shown.findBarriers()).toEqual([]);
    await dialog.getByLabel('Body').fill('{"text":"Are you there?"}');
    await press('Send');
    await page.getByRole('heading', { name: 'A test' }).waitFor();
    await press('Mark as read');
    await see('Marked as read');
    await press('Reply');
    await page.getByRole('dialog').getByLabel('To').fill('helper');
    await press('Send');
    await page.getByRole('heading', { name: 'Re: A test' }).waitFor();

    const { messages } = must(await project.api.get('/messages?sort=-created_at&unread=false'), 200);
    const helper = `agent:helper@${project.id}`;
    expect(messages.map((each: Json) => [each.subject, each.to, each.read])).toEqual([
      ['Re: A test', helper, false],
      ['A test', helper, true],
    ]);
    expect(messages[0].thread_id).toBe(messages[1].id);

    await shown.open(`/p/${project.id}/messages`);
    await page.getByLabel('State').selectOption('unread');
    await page.getByRole('link', { name: 'A test', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Mailbox' }).fill('stranger');
    await see('No message matches');
    await press('Clear');
    await page.getByRole('link', { name: 'A test', exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Mailboxes' }).click();
    await page.getByRole('link', { name: 'helper', exact: true }).click();
    await page.getByRole('link', { name: 'Re: A test' }).waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('finds pages, customers and ids with Ctrl K', async () => {
    const found = { external_id: 'grace', email: 'grace@example.com' };
    const { customer } = must(await project.api.post('/customers', found), 201);
    await shown.open(`/p/${project.id}/overview`);
    const search = async (text: string, option: RegExp) => {
      await page.keyboard.press('Control+k');
      const field = page.getByRole('dialog', { name: 'Search' }).getByRole('combobox');
      await field.fill(text);
      await page.getByRole('option', { name: option }).waitFor();
    };
    await search('audit', /^Audit log/);
    expect(await shown.findBarriers()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    await search('grac', /^Customer grace/);
    await page.getByRole('option', { name: /^Customer grace/ }).click();
    await page.getByRole('heading', { name: 'grace' }).waitFor();
    await search(customer.id.toUpperCase(), /^Customer grace/);
    expect(await page.getByRole('option', { name: /^(Request|Run|Message)/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'hello' }] }];
    const asked = { model: SANDBOX_MODEL, input };
    must(await project.api.post('/responses', asked, { 'X-Service-Request-Id': 'my-own-id' }), 200);
    const list = () => project.owner.get(`/projects/${project.id}/requests?request_id=my-own-id`);
    await waitUntil(async () => (await list()).body.requests.length === 1, { what: 'the request in the list' });
    await search('my-own-id', /^Request my-own-id/);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'detached' });
    expect(shown.faults).toEqual([]);
  });
});
