import { type ApplyToolOperationsRequest, ToolStateService } from '@tollgate/contracts/agents/v1/tool_state_pb.js';
import { AppError } from '@tollgate/errors';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { requireAgentById } from '../operations/agents/agents.js';
import { writeAgentMemory } from '../operations/agents/write-agent-memory.js';
import { applyToolOperations } from '../operations/state/apply-tool-operations.js';
import { findMemory } from '../store/agent-memories.js';
import type { ToolScope } from '../store/tool-states.js';
import { requireScope } from './require-scope.js';

export function toolStateService(ctx: Context): Registration {
  return register(ToolStateService, {
    async applyToolOperations({ scope, operations }, call) {
      return { outputs: await applyToolOperations(ctx, requireScope(call), toToolScope(scope), operations) };
    },
    async writeAgentMemory({ agentId, content }, call) {
      await writeAgentMemory(ctx, requireScope(call), agentId, content);
      return {};
    },
    async readAgentMemory({ agentId }, call) {
      const { projectId, customerId } = requireScope(call);
      await requireAgentById(ctx, projectId, agentId);
      return findMemory(ctx.pool, agentId, customerId);
    },
  });
}

function toToolScope(scope: ApplyToolOperationsRequest['scope']): ToolScope {
  if (scope.case === 'stateId') return { kind: 'state_handle', id: scope.value };
  if (scope.case === 'sessionId') return { kind: 'session', id: scope.value };
  throw new AppError('INVALID_INPUT', 'a state handle or a session is required');
}
