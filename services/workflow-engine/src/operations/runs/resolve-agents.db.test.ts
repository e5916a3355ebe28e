import { expect, it } from '@jest/globals';
import { userText } from '../../testing/agent-runs.js';
import { callAs } from '../../testing/engine-fixture.js';
import { awaitEnd, createRun } from '../../testing/run-client.js';
import { useEngine } from '../../testing/use-engine.js';

const { peers, engine } = useEngine(import.meta.url);

const input = [userText('hi')];
const naming = (...agents: string[]) => ({
  kind: 'workflow.v0',
  nodes: agents.map((agent, n) => ({ id: `n${n}`, type: 'agent.run', agent, input })),
});

/** An agent with a fragment as its tool that runs another agent. */
function chain(slug: string, next: string): void {
  const nodes = [{ id: 'n', type: 'agent.run', agent: next, input }];
  peers.agents.put(slug, {
    tools: [{ fragment: { ref: 'go' } }],
    fragments: { go: { nodes, outputs: [{ name: 'o', from: 'n' }] } },
  });
}

it('asks for each agent once, for those too that fragments of agents name', async () => {
  chain('a', 'b');
  chain('b', 'c@1');
  peers.agents.put('c');
  const runId = await createRun(engine.client, naming('a', 'a', 'b'));
  expect(peers.agents.resolved.toSorted()).toEqual(['a', 'b', 'c@1']);
  expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
});

it('asks for a bounded number: those beyond it are unknown', async () => {
  for (let n = 0; n < 120; n += 1) chain(`a${n}`, `a${n + 1}`);
  const refused = createRun(engine.client, naming('a0'));
  await expect(refused).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    issues: expect.arrayContaining([expect.objectContaining({ code: 'UNKNOWN_AGENT', path: '/nodes/0/agent' })]),
  });
  expect(peers.agents.resolved).toHaveLength(100);
});

it('makes no call for a spec without agents', async () => {
  const node = { id: 'a', type: 'llm.responses', input: { model: 'm', input } };
  await createRun(engine.client, { kind: 'workflow.v0', nodes: [node] });
  expect(peers.agents.resolved).toEqual([]);
});

it('gives a repeat the answer of the first request, even after an agent that it names was changed or deleted', async () => {
  peers.agents.put('a');
  const specJson = Buffer.from(JSON.stringify(naming('a')));
  const ask = () => engine.client.createRun({ specJson, idempotencyKey: 'k' }, callAs());
  const first = await ask();
  peers.agents.put('a', { system: 'another' });
  expect(await ask()).toEqual(first);
  peers.agents.delete('a');
  expect(await ask()).toEqual(first);
});
