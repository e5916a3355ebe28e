// Tool hooks as an owner manages them: through the public API, with an endpoint that answers.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, parseDelivery, startWebhookReceiver, type WebhookReceiver } from '@tollgate/testkit';
import { must } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

describe('tool hooks', () => {
  const system = useSystem();
  let receiver: WebhookReceiver;
  const project = useProject(system);
  let hooks: string;

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    hooks = `/projects/${project.id}/tool-hooks`;
  });
  afterAll(async () => {
    await receiver?.stop();
  });

  it.each<[Json, string]>([
    [{}, 'hook_type required'],
    [{ hook_type: 'pre_tool_use' }, 'endpoint_url required'],
    [{ hook_type: 'pre_tool_use', endpoint_url: 'nonsense' }, 'endpoint_url must be a valid URL'],
    [{ hook_type: 'pre_tool_use', endpoint_url: 'ftp://example.com/' }, 'endpoint_url must use https'],
    [
      { hook_type: 'tool_execute', endpoint_url: 'https://example.com/' },
      'tools_allowlist required for tool_execute hooks',
    ],
    [
      { hook_type: 'pre_tool_use', endpoint_url: 'https://example.com/', allow_mutation: true },
      'allow_mutation is only valid for post_tool_use hooks',
    ],
  ])('rejects %j: %s', async (body, error) => {
    const answer = await project.owner.post(hooks, body);
    expect([answer.status, answer.body]).toEqual([400, { error }]);
  });

  it('signs calls with the shown secret, before and after its rotation', async () => {
    const created = must(
      await project.owner.post(hooks, { hook_type: 'pre_tool_use', endpoint_url: receiver.url }),
      201,
    );
    const { hook } = created;
    expect(hook).toMatchObject({ enabled: true, timeout_ms: 5_000, fail_behavior: 'fail_closed', tools_allowlist: [] });
    const secrets = [created.signing_secret];
    receiver.answerNext({ body: { action: 'allow' } }, { body: { action: 'block', error: 'not today' } });
    const allowed = must(await project.owner.post(`${hooks}/${hook.id}/test`), 200);
    expect(allowed).toMatchObject({ status: 'success', response_status: 200, response_body: '{"action":"allow"}' });
    const rotated = must(await project.owner.put(`${hooks}/${hook.id}`, { rotate_secret: true }), 200);
    secrets.push(rotated.signing_secret);
    const blocked = must(await project.owner.post(`${hooks}/${hook.id}/test`), 200);
    expect(blocked).toMatchObject({ status: 'blocked', error: 'not today' });
    for (const [n, { headers, rawBody }] of receiver.deliveries.entries()) {
      const timestamp = String(headers['x-service-timestamp']);
      const digest = createHmac('sha256', secrets[n]).update(`${timestamp}.`).update(rawBody).digest('hex');
      expect(headers['x-service-signature']).toBe(`sha256=${digest}`);
    }
    expect(parseDelivery(receiver.deliveries[0]!)).toMatchObject({ hook: 'pre_tool_use', project_id: project.id });
    const { events } = must(await project.owner.get(`${hooks}/${hook.id}/events?limit=5`), 200);
    expect(events).toMatchObject([{ status: 'blocked' }, { status: 'success', hook_config_id: hook.id }]);
  });

  it('returns 404 after deletion, and to another owner', async () => {
    const body = { hook_type: 'tool_execute', endpoint_url: receiver.url, tools_allowlist: ['search'] };
    const { hook } = must(await project.owner.post(hooks, body), 201);
    const other = await system.project();
    const missing = [404, { error: 'tool hook not found' }];
    const foreign = await other.owner.get(`${hooks}/${hook.id}`);
    expect([foreign.status, foreign.body]).toEqual(missing);
    must(await project.owner.delete(`${hooks}/${hook.id}`), 204);
    const gone = await project.owner.get(`${hooks}/${hook.id}`);
    expect([gone.status, gone.body]).toEqual(missing);
    const anonymous = await system.anonymous.get(hooks);
    expect([anonymous.status, anonymous.body]).toEqual([401, { error: 'unauthorized' }]);
  });
});
