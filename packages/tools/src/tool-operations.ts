import { toolLimits } from './limits.js';
import type { ToolArguments } from './tool-arguments.js';
import { type ToolError, toolError } from './tool-error.js';
import type { StateToolName } from './tool-names.js';
import type { ToolState } from './tool-state.js';

/** What an operation wrote. */
export type StateChange = { kind: 'kv'; key: string } | { kind: 'tasks' };

/** Result of an operation that was carried out. */
export type StateToolResult =
  | { ok: true }
  | { ok: true; deleted: boolean }
  | { found: true; value: string }
  | { found: false }
  | { keys: string[] };

/** Outcome of one operation. A refused operation leaves the state unchanged. */
export interface StateToolOutcome {
  state: ToolState;
  output: StateToolResult | ToolError;
  /** Absent: nothing was written. */
  change?: StateChange;
}

/** `[A-Za-z0-9][A-Za-z0-9_.-]*` in segments divided by "/". */
const KEY_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9][A-Za-z0-9_.-]*)*$/;

/** Texts of "Key-value tool errors". */
const refusals = {
  keyForm:
    'key must be namespaced with "/" and consist of segments of letters, digits, "_", "." and "-" that begin with a letter or digit',
  keySize: `key is over ${toolLimits.keyBytes} bytes`,
  valueSize: `value is over ${toolLimits.valueBytes} bytes`,
  total: `total storage is over ${toolLimits.totalBytes} bytes`,
  keyCount: `more than ${toolLimits.keys} keys`,
  tasks: `task list is over ${toolLimits.tasks} tasks or ${toolLimits.tasksBytes} bytes`,
  context: 'run or session context is required',
  memory: `memory is over ${toolLimits.memoryBytes} bytes`,
} as const;

/** Result of a key-value or task tool that has neither a scope nor a response to store data in. */
export function contextRequired(): ToolError<'INVALID_INPUT'> {
  return toolError('INVALID_INPUT', refusals.context);
}

/** Why a text cannot be an agent's memory; undefined: it can. */
export function memoryRefusal(content: string): ToolError<'INVALID_INPUT'> | undefined {
  return countBytes(content) > toolLimits.memoryBytes ? toolError('INVALID_INPUT', refusals.memory) : undefined;
}

/** Runs one operation of the key-value and task tools on the state of one scope. Pure; all limits are checked here. */
export function applyToolOperation<Name extends StateToolName>(
  state: ToolState,
  name: Name,
  args: ToolArguments<Name>,
): StateToolOutcome {
  return operations[name](state, args);
}

const operations: { [Name in StateToolName]: (state: ToolState, args: ToolArguments<Name>) => StateToolOutcome } = {
  kv_write: writeKey,
  kv_read: readKey,
  kv_list: listKeys,
  kv_delete: deleteKey,
  tasks_write: writeTasks,
};

function writeKey(state: ToolState, { key, value }: ToolArguments<'kv_write'>): StateToolOutcome {
  const { kv, tasks } = state;
  const refusal = keyRefusal(key) ?? writeRefusal(kv, key, value);
  if (refusal) return refused(state, refusal);
  return { state: { kv: { ...kv, [key]: value }, tasks }, output: { ok: true }, change: { kind: 'kv', key } };
}

function readKey(state: ToolState, { key }: ToolArguments<'kv_read'>): StateToolOutcome {
  const refusal = keyRefusal(key);
  if (refusal) return refused(state, refusal);
  return { state, output: Object.hasOwn(state.kv, key) ? { found: true, value: state.kv[key]! } : { found: false } };
}

function listKeys(state: ToolState): StateToolOutcome {
  return { state, output: { keys: Object.keys(state.kv).sort() } };
}

function deleteKey(state: ToolState, { key }: ToolArguments<'kv_delete'>): StateToolOutcome {
  const refusal = keyRefusal(key);
  if (refusal) return refused(state, refusal);
  if (!Object.hasOwn(state.kv, key)) return { state, output: { ok: true, deleted: false } };
  const { [key]: _deleted, ...kv } = state.kv;
  return { state: { kv, tasks: state.tasks }, output: { ok: true, deleted: true }, change: { kind: 'kv', key } };
}

function writeTasks(state: ToolState, { tasks }: ToolArguments<'tasks_write'>): StateToolOutcome {
  const bytes = tasks.reduce((total, { content }) => total + countBytes(content), 0);
  if (tasks.length > toolLimits.tasks || bytes > toolLimits.tasksBytes) return refused(state, refusals.tasks);
  return { state: { kv: state.kv, tasks }, output: { ok: true }, change: { kind: 'tasks' } };
}

function keyRefusal(key: string): string | undefined {
  // Checks the size first, which bounds the work of the pattern.
  if (countBytes(key) > toolLimits.keyBytes) return refusals.keySize;
  return KEY_PATTERN.test(key) ? undefined : refusals.keyForm;
}

function writeRefusal(kv: ToolState['kv'], key: string, value: string): string | undefined {
  if (countBytes(value) > toolLimits.valueBytes) return refusals.valueSize;
  const isNew = !Object.hasOwn(kv, key);
  if (isNew && Object.keys(kv).length >= toolLimits.keys) return refusals.keyCount;
  let total = countBytes(value);
  for (const [other, kept] of Object.entries(kv)) if (other !== key) total += countBytes(kept);
  return total > toolLimits.totalBytes ? refusals.total : undefined;
}

function refused(state: ToolState, message: string): StateToolOutcome {
  return { state, output: toolError('INVALID_INPUT', message) };
}

function countBytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
