import { describe, expect, it } from '@jest/globals';
import { applyToolOperation, EMPTY_TOOL_STATE, type StateToolName, type ToolState } from '@tollgate/tools';
import { settleStateTool, type ToolReply } from './run-state-tool.js';

/** Returns the tool service's reply to a call on this state. */
function reply(seen: ToolState, name: StateToolName, args: never, more: Partial<ToolReply> = {}): ToolReply {
  const { state, output, change } = applyToolOperation(seen, name, args);
  const write = change && { state, changedKey: change.kind === 'kv' ? change.key : '' };
  return { output: JSON.stringify(output), errorCode: '', arguments: '{}', ...(write && { write }), ...more };
}

const state = (kv: Record<string, string>): ToolState => ({ kv, tasks: [] });
const write = (key: string, value: string) => ({ key, value }) as never;

describe("a tool's write on the run's own state", () => {
  it('merges with concurrent writes of others', () => {
    const seen = state({ a: '1' });
    const settled = settleStateTool(reply(seen, 'kv_write', write('b', '2')), seen, state({ a: '9', c: '3' }));
    expect(settled).toEqual({
      output: '{"ok":true}',
      state: state({ a: '9', b: '2', c: '3' }),
      change: { kind: 'kv', key: 'b' },
    });
  });

  it('returns the outcome on the current state when it differs from the first one', () => {
    const seen = state({ a: '1' });
    const deleted = settleStateTool(reply(seen, 'kv_delete', { key: 'a' } as never), seen, EMPTY_TOOL_STATE);
    expect(deleted).toEqual({ output: '{"ok":true,"deleted":false}', state: EMPTY_TOOL_STATE });
    const full = state(Object.fromEntries(Array.from({ length: 256 }, (_, index) => [`k${index}`, ''])));
    const refused = settleStateTool(reply(seen, 'kv_write', write('b', '2')), seen, full);
    expect(refused.state).toBe(full);
    expect(JSON.parse(refused.output)).toMatchObject({ error: { code: 'INVALID_INPUT' } });
  });

  it('keeps what a hook has made of the result', () => {
    const answered = reply(EMPTY_TOOL_STATE, 'kv_write', write('a', '1'), { output: '{"ok":true,"note":"seen"}' });
    expect(settleStateTool(answered, EMPTY_TOOL_STATE, state({ z: '' })).output).toBe('{"ok":true,"note":"seen"}');
  });

  it('applies the executed operation, even when a hook has changed the operation', () => {
    const seen = state({ a: '1', b: '2' });
    const asDelete = { ...reply(seen, 'kv_delete', { key: 'a' } as never), arguments: '{"key":"a","value":"x"}' };
    expect(settleStateTool(asDelete, seen, seen).state).toEqual(state({ b: '2' }));
  });

  it('replaces the task list independently of the keys', () => {
    const tasks = [{ content: 'x', status: 'pending' as const }];
    const answered = reply(EMPTY_TOOL_STATE, 'tasks_write', { tasks } as never);
    const current: ToolState = { kv: { a: '1' }, tasks: [{ content: 'old', status: 'completed' }] };
    expect(settleStateTool(answered, EMPTY_TOOL_STATE, current)).toMatchObject({
      state: { kv: { a: '1' }, tasks },
      change: { kind: 'tasks' },
    });
  });
});

describe('a read', () => {
  it('keeps its output', () => {
    const seen = state({ a: '1' });
    const current = state({ a: '2' });
    const settled = settleStateTool(reply(seen, 'kv_read', { key: 'a' } as never), seen, current);
    expect(settled).toEqual({ output: '{"found":true,"value":"1"}', state: current });
  });
});
