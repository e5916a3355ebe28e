// Messages with customer tokens: which addresses they may use, and which messages of the project they see.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, responsesBody } from '@tollgate/testkit';
import { must, SANDBOX_MODEL, type TestCustomer } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

describe('messages of a customer', () => {
  const system = useSystem();
  const project = useProject(system);
  let ann: TestCustomer;
  let bob: TestCustomer;

  beforeAll(async () => {
    await createAgent('helper');
    [ann, bob] = [await project.customerOn('free'), await project.customerOn('free')];
  });

  const agent = (slug: string) => `agent:${slug}@${project.id}`;

  async function createAgent(slug: string, values: object = {}): Promise<void> {
    const body = { name: slug, slug, model: SANDBOX_MODEL, ...values };
    must(await project.api.post(`/projects/${project.id}/agents`, body), 201);
  }

  function send(api: ApiClient, to: string, from?: string) {
    return api.post('/messages', { to, subject: 'x', body: { n: 1 }, ...(from !== undefined && { from }) });
  }

  async function idsIn(api: ApiClient, to: string): Promise<string[]> {
    const { messages } = must(await api.get(`/messages?to=${encodeURIComponent(to)}`), 200);
    return messages.map(({ id }: { id: string }) => id);
  }

  async function startRun(api: ApiClient): Promise<string> {
    const node = { id: 'a', type: 'llm.responses', input: responsesBody('hi', { model: SANDBOX_MODEL }) };
    const spec = { kind: 'workflow.v0', nodes: [node], outputs: [{ name: 'o', from: 'a' }] };
    return `run:${must(await api.post('/runs', { spec }), 200).run_id}`;
  }

  it('refuses messages from an agent’s address and sends them from the customer’s own', async () => {
    const refused = await send(ann.api, agent('helper'), agent('boss'));
    expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
    expect(must(await send(ann.api, agent('helper')), 201)).toMatchObject({ from: agent('api'), customer_id: ann.id });
    must(await send(ann.api, agent('helper'), agent('api')), 201);
    must(await send(ann.api, agent('helper'), await startRun(ann.api)), 201);
    expect((await send(ann.api, agent('helper'), await startRun(bob.api))).status).toBe(404);
    must(await send(project.api, agent('helper'), agent('boss')), 201);
    must(await send(project.owner, agent('helper'), agent('boss')), 201);
  });

  it('refuses messages to an agent that the project does not have', async () => {
    const refused = [await send(ann.api, agent('helpr')), await send(project.owner, agent('helpr'))];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(2).fill([404, 'NOT_FOUND']));
    must(await send(project.api, agent('api'), agent('helpr')), 201);
  });

  it('carries the customer id, so that the project can distinguish the senders', async () => {
    const inbox = `inbox-${randomUUID()}`;
    await createAgent(inbox);
    const to = agent(inbox);
    for (const api of [ann.api, bob.api, project.api]) must(await send(api, to), 201);
    const { messages } = must(await project.api.get(`/messages?to=${encodeURIComponent(to)}`), 200);
    expect(messages.map((message: { customer_id?: string }) => message.customer_id)).toEqual([
      ann.id,
      bob.id,
      undefined,
    ]);
  });

  it('omits the messages between agents, even those of the customer’s own runs', async () => {
    const slug = `sender-${randomUUID().slice(0, 8)}`;
    const to = agent(`inbox-${slug}`);
    await createAgent(`inbox-${slug}`);
    const args = { to: { const: to }, subject: { const: 'private' }, body: { const: { n: 1 } } };
    const parameters = { type: 'object', properties: args, required: Object.keys(args) };
    const tools = [{ definition: { type: 'function', function: { name: 'message_send', parameters } } }];
    await createAgent(slug, { tools });
    const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'call tool message_send' }] }];
    must(await ann.api.post(`/projects/${project.id}/agents/${slug}/run`, { input }), 200);
    const own = must(await send(ann.api, to), 201);
    const [between, ...others] = await idsIn(project.api, to);
    expect(others).toEqual([own.id]);
    expect(must(await project.api.get(`/messages/${between}`), 200)).toMatchObject({
      from: agent(slug),
      customer_id: ann.id,
    });
    expect(await idsIn(ann.api, to)).toEqual([own.id]);
    expect(await idsIn(bob.api, to)).toEqual([]);
    for (const api of [ann.api, bob.api]) {
      expect((await api.get(`/messages/${between}`)).status).toBe(404);
      expect((await api.get(`/messages?thread_id=${between}`)).status).toBe(404);
      expect((await api.post(`/messages/${between}/read`)).status).toBe(404);
    }
  });
});
