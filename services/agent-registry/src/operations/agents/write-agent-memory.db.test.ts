import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AgentService } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { ToolStateService } from '@tollgate/contracts/agents/v1/tool_state_pb.js';
import type { Call } from '@tollgate/rpc';
import { toolLimits } from '@tollgate/tools';
import { newCallers, projectCall, startTestService, type TestService } from '../../testing/test-service.js';
import { forgetCustomer } from '../forget-customer.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService(import.meta.url);
});

afterAll(() => service.stop());

const tools = () => service.network.client(ToolStateService);

async function newAgent(call: Call, slug = 'helper'): Promise<string> {
  const agents = service.network.client(AgentService);
  const { snapshot } = await agents.createAgent({ slug, values: { name: 'Helper' } }, call);
  return snapshot!.agent!.id;
}

const write = (agentId: string, content: string, call: Call) => tools().writeAgentMemory({ agentId, content }, call);

async function read(agentId: string, call: Call): Promise<[own: string, customers: string]> {
  const { content, customerContent } = await tools().readAgentMemory({ agentId }, call);
  return [content, customerContent];
}

describe('agent memory', () => {
  it('starts empty, is replaced as a whole and outlives the agent', async () => {
    const { byProject } = newCallers();
    const agentId = await newAgent(byProject);
    expect(await read(agentId, byProject)).toEqual(['', '']);
    await write(agentId, 'first', byProject);
    await write(agentId, 'second', byProject);
    await service.network.client(AgentService).deleteAgent({ slug: 'helper' }, byProject);
    expect(await read(agentId, byProject)).toEqual(['second', '']);
  });

  it('keeps one document per customer, which no other caller reads or replaces', async () => {
    const { byProject, byAnn, byBob } = newCallers();
    const agentId = await newAgent(byProject);
    await write(agentId, 'own', byProject);
    await write(agentId, 'of Ann', byAnn);
    expect(await read(agentId, byAnn)).toEqual(['own', 'of Ann']);
    expect(await read(agentId, byBob)).toEqual(['own', '']);
    expect(await read(agentId, byProject)).toEqual(['own', '']);
    await write(agentId, 'of Bob', byBob);
    await write(agentId, '', byProject);
    expect(await read(agentId, byAnn)).toEqual(['', 'of Ann']);
    expect(await read(agentId, byBob)).toEqual(['', 'of Bob']);
  });

  it('keeps one customer’s documents of two agents apart', async () => {
    const { byProject, byAnn } = newCallers();
    const [one, two] = [await newAgent(byProject, 'one'), await newAgent(byProject, 'two')];
    await write(one, 'of one', byAnn);
    expect(await read(two, byAnn)).toEqual(['', '']);
  });

  it.each(['byProject', 'byAnn'] as const)('accepts 32,768 bytes and not one more (%s)', async (who) => {
    const callers = newCallers();
    const agentId = await newAgent(callers.byProject);
    const content = 'ä'.repeat(toolLimits.memoryBytes / 2);
    await write(agentId, content, callers[who]);
    for (const refused of [`${content}x`, 'a\0b']) {
      await expect(write(agentId, refused, callers[who])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
    expect(await read(agentId, callers[who])).toContain(content);
  });

  it('answers NOT_FOUND for an agent of another project and for an unknown one', async () => {
    const { byProject, byStranger } = newCallers();
    const agentId = await newAgent(byProject);
    for (const [id, call] of [
      [agentId, byStranger],
      [randomUUID(), byProject],
      ['nothing', byProject],
    ] as const) {
      await expect(write(id, 'x', call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(read(id, call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

describe('the memory of a deleted customer', () => {
  it('reads as empty for every agent, even after a late write', async () => {
    const { projectId, byProject, byBob } = newCallers();
    const ann = randomUUID();
    const byAnn = projectCall(projectId, ann);
    const agents = [await newAgent(byProject, 'one'), await newAgent(byProject, 'two')];
    for (const agentId of agents) {
      for (const call of [byProject, byAnn, byBob]) await write(agentId, 'kept', call);
    }
    const ctx = { pool: service.database.pool, clock: service.clock };
    await forgetCustomer(ctx, ann);
    await forgetCustomer(ctx, ann);
    for (const agentId of agents) {
      await write(agentId, 'late', byAnn);
      expect(await read(agentId, byAnn)).toEqual(['kept', '']);
      expect(await read(agentId, byBob)).toEqual(['kept', 'kept']);
    }
  });

  it('does not survive a write that races with the deletion', async () => {
    const { projectId, byProject } = newCallers();
    const agentId = await newAgent(byProject);
    const customers = Array.from({ length: 20 }, () => randomUUID());
    const ctx = { pool: service.database.pool, clock: service.clock };
    await Promise.all(
      customers.flatMap((id) => [write(agentId, 'late', projectCall(projectId, id)), forgetCustomer(ctx, id)]),
    );
    const { rows } = await service.database.pool.query('SELECT 1 FROM agent_customer_memories WHERE agent_id = $1', [
      agentId,
    ]);
    expect(rows).toEqual([]);
  });
});
