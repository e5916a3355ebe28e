import { AgentRunService } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { type AgentRunResult, awaitAgentRun } from '../operations/agents/await-agent-run.js';
import { startAgentRun } from '../operations/agents/start-agent-run.js';

/** Executes agents as runs. */
export function agentRunService(ctx: Context): Registration {
  return register(AgentRunService, {
    startAgentRun: (req, call) => startAgentRun(ctx, call.requirePrincipal(), req, call),
    awaitAgentRun: async (req, call) => toProto(await awaitAgentRun(ctx, call.requirePrincipal(), req.runId, call)),
  });
}

function toProto({ runId, status, output, totals, error, isRefused, mocks }: AgentRunResult) {
  return {
    runId,
    status,
    outputJson: Buffer.from(output),
    usage: totals,
    ...(error && { error }),
    refused: isRefused,
    mocksJson: Buffer.from(mocks ? JSON.stringify(mocks) : ''),
  };
}
