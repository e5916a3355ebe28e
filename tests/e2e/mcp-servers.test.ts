// Tools of foreign MCP servers in agents and runs: registered through the interface, called by the model, charged as usual.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Json, type McpTestServer, startMcpServer, startWebhookReceiver } from '@tollgate/testkit';
import { must, SANDBOX_MODEL, type TestProject } from '../system/start-system.js';
import { useSystem } from '../system/use-system.js';

const SECRET = 'Bearer mcp-credential-4711';
/** The sandbox's model can call it in one way only. */
const inputSchema = { type: 'object', properties: { q: { const: 'x' } }, required: ['q'] } as const;
const userMessage = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'text', text }] });
const input = [userMessage('call tool mcp__notes__find')];

describe('tools of an MCP server', () => {
  const system = useSystem();
  let server: McpTestServer;
  let project: TestProject;

  beforeAll(async () => {
    const answer = ({ arguments: { q } }: { arguments: Json }) => ({ content: [{ type: 'text', text: `found ${q}` }] });
    server = await startMcpServer({ tools: [{ name: 'find', inputSchema }], authorization: SECRET, answer });
  });
  afterAll(async () => {
    await server?.stop();
  });
  beforeEach(async () => {
    project = await system.project();
  });

  const servers = (suffix = '') => `/projects/${project.id}/mcp-servers${suffix}`;

  async function register(body: Json = {}): Promise<Json> {
    const wanted = { name: 'notes', endpoint_url: server.url, headers: { Authorization: SECRET }, ...body };
    return must(await project.owner.post(servers(), wanted), 201).server;
  }

  async function createAgent(more: Json = {}): Promise<void> {
    const tools = [{ mcp_server: 'notes' }];
    const body = { name: 'Helper', slug: 'helper', model: SANDBOX_MODEL, tools, ...more };
    must(await project.api.post(`/projects/${project.id}/agents`, body), 201);
  }

  const run = async (): Promise<Json> =>
    must(await project.api.post(`/projects/${project.id}/agents/helper/run`, { input }), 200);

  async function readLog(runId: string): Promise<string> {
    return (await project.api.get(`/runs/${runId}/events?wait=false`)).text;
  }

  it('lists the tools in a test, which shows no credential', async () => {
    const { id } = await register();
    const tested = must(await project.owner.post(servers(`/${id}/test`)), 200);
    expect(tested).toMatchObject({
      status: 'success',
      tools: [{ name: 'mcp__notes__find', tool: 'find', parameters: inputSchema }],
      refused_tools: [],
    });
    const read = [must(await project.owner.get(servers(`/${id}`)), 200), must(await project.owner.get(servers()), 200)];
    expect(read).toMatchObject([{ server: { header_names: ['Authorization'] } }, { servers: [{ id }] }]);
    expect(JSON.stringify([tested, read])).not.toContain('4711');
  });

  it('calls a tool once for an agent’s model, and records it in the run', async () => {
    await register();
    await createAgent();
    const calls = server.calls.length;
    const result = await run();
    expect(result).toMatchObject({ status: 'succeeded' });
    expect(result.output.at(-1).content[0].text).toContain('found x');
    expect(server.calls.slice(calls)).toMatchObject([{ name: 'find', arguments: { q: 'x' }, authorization: SECRET }]);
    const log = await readLog(result.run_id);
    expect(log).toContain('"type":"node_tool_result"');
    expect(log).toContain('found x');
    expect(log).not.toContain('4711');
    const replay = { run_id: result.run_id };
    const again = must(await project.api.post(`/projects/${project.id}/agents/helper/replay`, replay), 200);
    expect(again.output).toEqual(result.output);
    expect(server.calls.length - calls).toBe(1);
  });

  it('calls a tool for a node of a run, but not of a customer', async () => {
    await register();
    const request = { model: SANDBOX_MODEL, input };
    const spec = {
      kind: 'workflow.v0',
      nodes: [{ id: 'a', type: 'llm.responses', input: { request, mcp_servers: ['notes'] } }],
      outputs: [{ name: 'o', from: 'a', pointer: '/output/0/content/0/text' }],
    };
    const { run_id: runId } = must(await project.api.post('/runs', { spec }), 200);
    await project.api.get(`/runs/${runId}/events`);
    expect(must(await project.api.get(`/runs/${runId}`), 200).outputs.o).toContain('found x');
    const customer = await project.customerOn('free');
    expect((await customer.api.post('/runs', { spec })).status).toBe(403);
  });

  it('passes the calls through the tool hooks of the project', async () => {
    const receiver = await startWebhookReceiver();
    try {
      receiver.answerWith({ body: { action: 'block', error: 'not today' } });
      await register();
      await createAgent();
      const hook = { hook_type: 'pre_tool_use', endpoint_url: receiver.url, tools_allowlist: ['mcp__notes__find'] };
      must(await project.owner.post(`/projects/${project.id}/tool-hooks`, hook), 201);
      const calls = server.calls.length;
      expect((await run()).output.at(-1).content[0].text).toContain('not today');
      expect(server.calls).toHaveLength(calls);
    } finally {
      await receiver.stop();
    }
  });

  it('fails the run with the reason when the server is deleted or refuses the credentials', async () => {
    const { id } = await register({ headers: {} });
    await createAgent();
    const refuse = async () =>
      must(await project.api.post(`/projects/${project.id}/agents/helper/run`, { input }), 400);
    expect(await refuse()).toMatchObject({ code: 'TOOL_UNHANDLED', message: expect.stringContaining('401') });
    must(await project.owner.delete(servers(`/${id}`)), 204);
    expect(await refuse()).toMatchObject({ code: 'TOOL_UNHANDLED' });
    const body = { name: 'Late', slug: 'late', tools: [{ mcp_server: 'notes' }] };
    expect((await project.api.post(`/projects/${project.id}/agents`, body)).status).toBe(400);
  });

  it('requires a name that is free in the project and an address that may be called', async () => {
    await register();
    const other = { name: 'notes', endpoint_url: server.url };
    expect((await project.owner.post(servers(), other)).status).toBe(409);
    for (const endpoint of ['http://169.254.169.254/mcp', 'ftp://example.com/', 'https://user:pass@example.com/']) {
      expect((await project.owner.post(servers(), { name: 'x', endpoint_url: endpoint })).status).toBe(400);
    }
  });
});
