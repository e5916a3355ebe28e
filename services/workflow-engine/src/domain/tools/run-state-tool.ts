import { canonicalJson } from '@tollgate/runtime/canonical-json';
import { applyToolOperation, type StateChange, type StateToolOutcome, type ToolState } from '@tollgate/tools';

/** The answer of the tool service. */
export interface ToolReply {
  /** JSON. */
  output: string;
  errorCode: string;
  /** Set on TOOL_UNHANDLED when another try may succeed. */
  mayRetry?: boolean;
  /** The arguments after hooks have modified them. */
  arguments: string;
  /** Absent when the tool wrote nothing to the run's state. */
  write?: StateWrite;
}

export interface StateWrite {
  /** The state as the tool service left it. */
  state: ToolState;
  /** The key that was written or deleted; empty for the task list. */
  changedKey: string;
}

export interface StateToolSettlement {
  output: string;
  state: ToolState;
  change?: StateChange;
}

/**
 * Applies a tool's write to the run's own state. The tool service ran the tool and its hooks on an earlier state
 * (`seen`), and other nodes may have written since. So the write, not the returned state, is applied to `current` under
 * the run's lock, and no write is lost. The service's output stays valid unless the write now has another result, for
 * example because the space is used up. The output of a tool that wrote nothing does not change.
 */
export function settleStateTool(reply: ToolReply, seen: ToolState, current: ToolState): StateToolSettlement {
  if (!reply.write) return { output: reply.output, state: current };
  const then = repeat(reply.write, seen);
  const now = repeat(reply.write, current);
  const isSame = canonicalJson(then.output) === canonicalJson(now.output);
  const output = isSame ? reply.output : JSON.stringify(now.output);
  return { output, state: now.state, ...(now.change && { change: now.change }) };
}

/** Repeats a write from its effect, because hooks may have replaced the operation that the model requested. */
function repeat({ state, changedKey: key }: StateWrite, on: ToolState): StateToolOutcome {
  if (key === '') return applyToolOperation(on, 'tasks_write', { tasks: [...state.tasks] });
  const value = Object.hasOwn(state.kv, key) ? state.kv[key] : undefined;
  if (value === undefined) return applyToolOperation(on, 'kv_delete', { key });
  return applyToolOperation(on, 'kv_write', { key, value });
}
