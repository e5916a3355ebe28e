import { applyToolOperation, type StateChange, type StateToolOutcome, type ToolState } from '@tollgate/tools';
import { canonicalJson, type Json } from '../values/json.js';

/** What the tool service answered. */
export interface ToolReply {
  /** JSON. */
  output: string;
  errorCode: string;
  /** Arguments after hooks have modified them. */
  arguments: string;
  /** Absent: it wrote nothing to the state that it was given. */
  write?: StateWrite;
}

export interface StateWrite {
  /** The state as the tool service left it. */
  state: ToolState;
  /** The key that was written or deleted; empty: the task list was. */
  changedKey: string;
}

export interface StateToolSettlement {
  output: string;
  state: ToolState;
  change?: StateChange;
}

/**
 * Settles a tool's write on the run's own state. The tool service ran it, hooks around it, on the state as it was then
 * (`seen`); other nodes may have written meanwhile. So what it did, not the state that came back, is applied to `current`
 * under the run's lock: no write is lost. What the service said about it (and what hooks made of that) stays true unless
 * it comes out differently now, for example because the space is used up.
 * A tool that wrote nothing has read the state as it was while it ran, which stands as it is.
 */
export function settleStateTool(reply: ToolReply, seen: ToolState, current: ToolState): StateToolSettlement {
  if (!reply.write) return { output: reply.output, state: current };
  const then = repeat(reply.write, seen);
  const now = repeat(reply.write, current);
  const isSame = canonicalJson(then.output as unknown as Json) === canonicalJson(now.output as unknown as Json);
  const output = isSame ? reply.output : JSON.stringify(now.output);
  return { output, state: now.state, ...(now.change && { change: now.change }) };
}

/** The write by its effect: hooks may have made another operation of the one that the model asked for. */
function repeat({ state, changedKey: key }: StateWrite, on: ToolState): StateToolOutcome {
  if (key === '') return applyToolOperation(on, 'tasks_write', { tasks: [...state.tasks] });
  const value = Object.hasOwn(state.kv, key) ? state.kv[key] : undefined;
  if (value === undefined) return applyToolOperation(on, 'kv_delete', { key });
  return applyToolOperation(on, 'kv_write', { key, value });
}
