import type { ExecuteToolResponse } from '@tollgate/contracts/inference/v1/tools_pb.js';
import type { ToolTurns } from './tool-turns.js';

/** One call of ToolService.ExecuteTool. */
export interface AskedTool {
  name: string;
  args?: unknown;
  context?: object;
  hookId?: string;
  mcpServer?: string;
  parameters?: object;
  imageModel?: string;
}

/** Ids that `executeTool` sends. */
export const HOLD_ID = 'b0000000-0000-4000-8000-000000000001';
export const TOOL_CALL_ID = 'call_1';
export const RUN_ID = 'a0000000-0000-4000-8000-0000000000cc';

export function executeTool(
  { system }: ToolTurns,
  { name, args = {}, context, hookId, mcpServer, parameters, imageModel }: AskedTool,
): Promise<ExecuteToolResponse> {
  const request = {
    holdId: HOLD_ID,
    toolCallId: TOOL_CALL_ID,
    name,
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
    ...(context ? { context } : {}),
    ...(hookId ? { hookId } : {}),
    ...(mcpServer ? { mcpServer } : {}),
    ...(parameters ? { parametersJson: Buffer.from(JSON.stringify(parameters)) } : {}),
    ...(imageModel ? { imageModel } : {}),
  };
  return system.tools.executeTool(request, system.call());
}

/** The context of a run with this state. */
export function inRun(state: object): object {
  return { runId: RUN_ID, runStateJson: Buffer.from(JSON.stringify(state)) };
}
