// The memory of agents in the project's own runs and in those of two customers.
import { describe, expect, it } from '@jest/globals';
import { type ApiClient, type Json, waitUntil } from '@tollgate/testkit';
import { must, SANDBOX_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const says = (text: string) => [{ type: 'message', role: 'user', content: [{ type: 'text', text }] }];

describe('agent memory', () => {
  const system = useSystem();
  const project = useProject(system);
  let slugs = 0;

  async function newAgent(): Promise<string> {
    slugs += 1;
    const body = { name: 'Helper', slug: `helper-${slugs}`, model: SANDBOX_MODEL, system: 'Be brief.' };
    must(await project.api.post(`/projects/${project.id}/agents`, body), 201);
    return body.slug;
  }

  /** Makes the sandbox call memory_write: it can only write const arguments. */
  async function remember(slug: string, content: string, api: ApiClient, options: Json = {}): Promise<void> {
    const parameters = { type: 'object', properties: { content: { const: content } }, required: ['content'] };
    const tools = [{ definition: { type: 'function', function: { name: 'memory_write', parameters } } }];
    must(await project.api.patch(`/projects/${project.id}/agents/${slug}`, { tools }), 200);
    const { output } = await run(slug, 'call tool memory_write', api, options);
    expect(output.at(-1).content[0].text).toBe('memory_write returned: {"ok":true}');
  }

  async function run(slug: string, text: string, api: ApiClient, body: Json = {}): Promise<Json> {
    return must(await api.post(`/projects/${project.id}/agents/${slug}/run`, { input: says(text), ...body }), 200);
  }

  /** The system prompt of a new run, as the project's owner sees it. */
  async function promptFor(slug: string, api: ApiClient): Promise<string> {
    const { run_id } = await run(slug, 'hi', api);
    const { steps } = must(await project.api.get(`/runs/${run_id}/steps`), 200);
    return steps[0].llm_request.input[0].content[0].text;
  }

  it('keeps what a customer’s run wrote out of every other customer’s prompt', async () => {
    const slug = await newAgent();
    const [ann, bob] = [await project.customerOn('free'), await project.customerOn('free')];
    await remember(slug, 'Ann banks at Acme.', ann.api);
    expect(await promptFor(slug, ann.api)).toBe('## Agent Memory\n\nAnn banks at Acme.\n\n---\n\nBe brief.');
    expect(await promptFor(slug, bob.api)).toBe('Be brief.');
    expect(await promptFor(slug, project.api)).toBe('Be brief.');
    await remember(slug, 'Bob is a pilot.', project.api, { customer_id: bob.externalId });
    expect(await promptFor(slug, ann.api)).not.toContain('Bob');
    expect(await promptFor(slug, bob.api)).toBe('## Agent Memory\n\nBob is a pilot.\n\n---\n\nBe brief.');
  });

  it('shows a customer’s run the agent’s own memory before the customer’s', async () => {
    const slug = await newAgent();
    const ann = await project.customerOn('free');
    await remember(slug, 'Answer in French.', project.api);
    expect(await promptFor(slug, ann.api)).toBe('## Agent Memory\n\nAnswer in French.\n\n---\n\nBe brief.');
    await remember(slug, 'Ann banks at Acme.', ann.api);
    expect(await promptFor(slug, ann.api)).toBe(
      '## Agent Memory\n\nAnswer in French.\n\n### This customer\n\nAnn banks at Acme.\n\n---\n\nBe brief.',
    );
    expect(await promptFor(slug, project.api)).toBe('## Agent Memory\n\nAnswer in French.\n\n---\n\nBe brief.');
  });

  it('deletes a customer’s memory with the customer', async () => {
    const slug = await newAgent();
    const ann = await project.customerOn('free');
    await remember(slug, 'Ann banks at Acme.', ann.api);
    await remember(slug, 'Answer in French.', project.api);
    const kept = () =>
      system.query('SELECT content FROM agent_registry.agent_customer_memories WHERE customer_id = $1', [ann.id]);
    expect(await kept()).toEqual([{ content: 'Ann banks at Acme.' }]);
    must(await project.api.delete(`/customers/${ann.id}`), 204);
    await waitUntil(async () => (await kept()).length === 0, { what: 'the end of the customer’s memory' });
    expect(await promptFor(slug, project.api)).toContain('Answer in French.');
  });
});
