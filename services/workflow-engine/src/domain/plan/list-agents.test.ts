import { expect, it } from '@jest/globals';
import { listAgents } from './list-agents.js';
import type { Plan } from './plan.js';

const agent = (slug: string) => ({ type: 'agent.run', agent: { id: slug, slug, revision: 1 } });

it('lists the agents of nodes, of fan-outs and of schedulers, each once', () => {
  const nodes = [
    { type: 'llm.responses' },
    agent('writer'),
    agent('writer'),
    { type: 'map.fanout', subnode: agent('reader') },
    { type: 'agent.scheduler', coordinator: agent('boss'), agents: [{ agent: agent('worker'), count: 2 }] },
  ];
  expect(listAgents({ nodes } as unknown as Plan)).toEqual(['boss', 'reader', 'worker', 'writer']);
});
