import { z } from 'zod';

const task = z.object({ content: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) });

const toolState = z.object({
  kv: z.record(z.string(), z.string()).default({}),
  tasks: z.array(task).default([]),
});

/** One entry of a task list. */
export type Task = z.output<typeof task>;

/** Data of the key-value and task tools in one scope: a state handle, a session, a run or a single response. */
export interface ToolState {
  readonly kv: Readonly<Record<string, string>>;
  readonly tasks: readonly Task[];
}

/** The state of a scope that nothing has been written to. */
export const EMPTY_TOOL_STATE: ToolState = { kv: {}, tasks: [] };

/**
 * Reads `{"kv": {key: value}, "tasks": [...]}`; empty text is the empty state.
 *
 * @throws Error for anything else: stored state is written by the service, so this is a defect and not a bad request.
 */
export function parseToolState(json: string): ToolState {
  return json === '' ? EMPTY_TOOL_STATE : toolState.parse(JSON.parse(json));
}
