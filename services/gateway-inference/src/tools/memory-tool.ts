import type { ToolStateService } from '@tollgate/contracts/agents/v1/tool_state_pb.js';
import type { Client } from '@tollgate/rpc';
import { memoryRefusal, type ToolArguments, toolError } from '@tollgate/tools';
import type { ToolOutcome } from '../domain/turn-tools.js';
import type { ToolRun } from './tool-run.js';

/** `memory_write`: replaces the agent's memory of the run's customer, or the agent's own memory without a customer. */
export async function writeMemory(
  { toolState }: { toolState: Client<typeof ToolStateService> },
  { content }: ToolArguments<'memory_write'>,
  { agent, call }: ToolRun,
): Promise<ToolOutcome> {
  if (!agent) return { output: toolError('INVALID_INPUT', 'memory_write is only available in agent runs') };
  const refusal = memoryRefusal(content);
  if (refusal) return { output: refusal };
  await toolState.writeAgentMemory({ agentId: agent.id, content }, call);
  return { output: { ok: true } };
}
