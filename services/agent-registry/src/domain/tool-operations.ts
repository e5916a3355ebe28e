import {
  applyToolOperation,
  canonicalToolName,
  isStateTool,
  isToolError,
  parseToolArguments,
  type StateToolName,
  type ToolState,
} from '@tollgate/tools';

export interface ToolOperation {
  name: StateToolName;
  argumentsJson: string;
}

/** Returns the canonical name of a key-value or task tool in either spelling; undefined for other tools. */
export function toStateTool(name: string): StateToolName | undefined {
  const canonical = canonicalToolName(name);
  return canonical !== undefined && isStateTool(canonical) ? canonical : undefined;
}

/** Runs operations in order, each on the state that the previous one left. A refused operation changes nothing. */
export function runToolOperations(
  before: ToolState,
  operations: readonly ToolOperation[],
): { state: ToolState; outputs: string[]; isChanged: boolean } {
  let state = before;
  let isChanged = false;
  const outputs = operations.map(({ name, argumentsJson }) => {
    const parsed = parseToolArguments(name, argumentsJson);
    if (!parsed.ok) return JSON.stringify({ error: parsed.error.error });
    const outcome = applyToolOperation(state, name, parsed.arguments);
    state = outcome.state;
    isChanged ||= outcome.change !== undefined && !isToolError(outcome.output);
    return JSON.stringify(outcome.output);
  });
  return { state, outputs, isChanged };
}
