export { toolLimits } from './limits.js';
export {
  checkToolArguments,
  type ParsedArguments,
  parseToolArguments,
  type ToolArguments,
  toolArguments,
} from './tool-arguments.js';
export { type DeclaredFunction, offeredFunction, type ToolDefinition, toolDefinition } from './tool-definitions.js';
export { isToolError, type ToolError, type ToolErrorCode, toolError } from './tool-error.js';
export {
  canonicalToolName,
  isStateTool,
  type ServerToolName,
  type StateToolName,
  serverToolNames,
  stateToolNames,
  underscoredToolName,
} from './tool-names.js';
export {
  applyToolOperation,
  contextRequired,
  memoryRefusal,
  type StateChange,
  type StateToolOutcome,
  type StateToolResult,
} from './tool-operations.js';
export { EMPTY_TOOL_STATE, parseToolState, type Task, type ToolState } from './tool-state.js';
