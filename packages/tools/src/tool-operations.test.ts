import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toolLimits } from './limits.js';
import { applyToolOperation, contextRequired, memoryRefusal } from './tool-operations.js';
import { EMPTY_TOOL_STATE, parseToolState, type ToolState } from './tool-state.js';

const FORM = 'key must be namespaced with "/"';

function toState(kv: Record<string, string>): ToolState {
  return { kv, tasks: [] };
}

/** `count` keys k0, k1 … with a value of `bytes` bytes each. */
function filled(count: number, bytes: number): ToolState {
  return toState(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'v'.repeat(bytes)])));
}

function refusal(text: string) {
  return { error: { code: 'INVALID_INPUT', message: expect.stringContaining(text) } };
}

describe('keys', () => {
  it.each(['a', '0', 'a/b', 'user/profile/name', 'A.b-c_d/1.2', 'constructor', 'toString', 'a'.repeat(128)])(
    'accepts %s as a key',
    (key) => {
      const written = applyToolOperation(EMPTY_TOOL_STATE, 'kv_write', { key, value: 'x' });
      expect(written).toMatchObject({ output: { ok: true }, change: { kind: 'kv', key } });
      expect(applyToolOperation(written.state, 'kv_read', { key }).output).toEqual({ found: true, value: 'x' });
      expect(applyToolOperation(EMPTY_TOOL_STATE, 'kv_read', { key }).output).toEqual({ found: false });
    },
  );

  it.each([
    ['', FORM],
    ['/', FORM],
    ['/a', FORM],
    ['a/', FORM],
    ['a//b', FORM],
    ['.a', FORM],
    ['a/-b', FORM],
    ['__proto__', FORM],
    ['a b', FORM],
    ['a\n', FORM],
    ['ä', FORM],
    ['a:b', FORM],
    ['a'.repeat(129), 'key is over 128 bytes'],
    ['ä'.repeat(65), 'key is over 128 bytes'],
  ])('rejects %j as a key in a write, a read and a delete', (key, text) => {
    for (const outcome of [
      applyToolOperation(EMPTY_TOOL_STATE, 'kv_write', { key, value: 'x' }),
      applyToolOperation(EMPTY_TOOL_STATE, 'kv_read', { key }),
      applyToolOperation(EMPTY_TOOL_STATE, 'kv_delete', { key }),
    ]) {
      expect(outcome).toEqual({ state: EMPTY_TOOL_STATE, output: refusal(text) });
    }
  });
});

describe('limits of the stored data', () => {
  const full = filled(4, toolLimits.valueBytes);
  const crowded = filled(toolLimits.keys, 1);

  it.each<[string, ToolState, string, string]>([
    ['a value of exactly 32,768 bytes', EMPTY_TOOL_STATE, 'a', 'v'.repeat(32_768)],
    ['a value whose characters take 32,768 bytes', EMPTY_TOOL_STATE, 'a', 'ä'.repeat(16_384)],
    ['no value', EMPTY_TOOL_STATE, 'a', ''],
    ['exactly 131,072 bytes in total', filled(3, toolLimits.valueBytes), 'a', 'v'.repeat(32_768)],
    ['a value in place of an equal one, when full', full, 'k0', 'w'.repeat(32_768)],
    ['the 256th key', filled(255, 1), 'a', 'x'],
    ['a value of a key that exists, with 256 keys', crowded, 'k7', 'x'],
  ])('accepts a write of %s', (_what, state, key, value) => {
    const { output, state: after } = applyToolOperation(state, 'kv_write', { key, value });
    expect(output).toEqual({ ok: true });
    expect(after.kv).toEqual({ ...state.kv, [key]: value });
  });

  it.each<[string, ToolState, string, string, string]>([
    ['a value of one byte more', EMPTY_TOOL_STATE, 'a', 'v'.repeat(32_769), 'value is over 32768 bytes'],
    ['characters that take more', EMPTY_TOOL_STATE, 'a', 'ä'.repeat(16_385), 'value is over 32768 bytes'],
    ['one byte over the total', full, 'a', 'x', 'total storage is over 131072 bytes'],
    ['the 257th key', crowded, 'a', 'x', 'more than 256 keys'],
  ])('rejects a write of %s and keeps the state', (_what, state, key, value, text) => {
    expect(applyToolOperation(state, 'kv_write', { key, value })).toEqual({ state, output: refusal(text) });
  });

  it('stays within its limits in any sequence of writes and deletes', () => {
    const key = fc.integer({ min: 0, max: 299 }).map((n) => `k/${n}`);
    const operation = fc.record({ key, bytes: fc.integer({ min: 0, max: 33_000 }), isDelete: fc.boolean() });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (all) => {
        let state = EMPTY_TOOL_STATE;
        for (const { key: name, bytes, isDelete } of all) {
          const before = state;
          const outcome = isDelete
            ? applyToolOperation(state, 'kv_delete', { key: name })
            : applyToolOperation(state, 'kv_write', { key: name, value: 'v'.repeat(bytes) });
          state = outcome.state;
          if (!outcome.change) expect(state).toBe(before);
          const values = Object.values(state.kv);
          expect(values.length).toBeLessThanOrEqual(256);
          expect(values.reduce((total, value) => total + value.length, 0)).toBeLessThanOrEqual(131_072);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('operations', () => {
  it('lists the keys in alphabetical order', () => {
    const state = toState({ b: '', 'a/2': '', 10: '', a: '', B: '' });
    expect(applyToolOperation(state, 'kv_list', {})).toEqual({
      state,
      output: { keys: ['10', 'B', 'a', 'a/2', 'b'] },
    });
    expect(applyToolOperation(EMPTY_TOOL_STATE, 'kv_list', {}).output).toEqual({ keys: [] });
  });

  it('reports whether a delete removed a key', () => {
    const first = applyToolOperation(toState({ a: '1', b: '2' }), 'kv_delete', { key: 'a' });
    expect(first).toEqual({
      state: toState({ b: '2' }),
      output: { ok: true, deleted: true },
      change: { kind: 'kv', key: 'a' },
    });
    const again = applyToolOperation(first.state, 'kv_delete', { key: 'a' });
    expect(again).toEqual({ state: first.state, output: { ok: true, deleted: false } });
  });

  it('replaces the whole list of tasks and keeps the keys', () => {
    const before: ToolState = { kv: { a: '1' }, tasks: [{ content: 'old', status: 'pending' }] };
    const tasks = [
      { content: 'one', status: 'completed' as const },
      { content: 'two', status: 'in_progress' as const },
    ];
    expect(applyToolOperation(before, 'tasks_write', { tasks })).toEqual({
      state: { kv: { a: '1' }, tasks },
      output: { ok: true },
      change: { kind: 'tasks' },
    });
    expect(applyToolOperation(before, 'tasks_write', { tasks: [] }).state.tasks).toEqual([]);
  });

  it('rejects a task list that is too long or too large', () => {
    const many = Array.from({ length: 501 }, () => ({ content: '', status: 'pending' as const }));
    const long = [{ content: 'x'.repeat(131_073), status: 'pending' as const }];
    for (const tasks of [many, long]) {
      expect(applyToolOperation(EMPTY_TOOL_STATE, 'tasks_write', { tasks }).output).toEqual(refusal('task list'));
    }
  });

  it('does not change the state it was given', () => {
    const state = Object.freeze({ kv: Object.freeze({ a: '1' }), tasks: Object.freeze([]) });
    applyToolOperation(state, 'kv_write', { key: 'b', value: '2' });
    applyToolOperation(state, 'kv_delete', { key: 'a' });
    applyToolOperation(state, 'tasks_write', { tasks: [] });
    expect(state).toEqual({ kv: { a: '1' }, tasks: [] });
  });
});

describe('other refusals', () => {
  it('returns an error that a run or session context is required', () => {
    expect(contextRequired()).toEqual({
      error: { code: 'INVALID_INPUT', message: 'run or session context is required' },
    });
  });

  it('limits a memory to 32 KB', () => {
    expect(memoryRefusal('x'.repeat(32_768))).toBeUndefined();
    expect(memoryRefusal('x'.repeat(32_769))).toEqual(refusal('memory is over 32768 bytes'));
    expect(memoryRefusal('ä'.repeat(16_385))).toEqual(refusal('memory is over 32768 bytes'));
  });
});

describe('stored state', () => {
  it('restores the state unchanged, and reads empty text as the empty state', () => {
    const state: ToolState = { kv: { a: '1' }, tasks: [{ content: 'x', status: 'pending' }] };
    expect(parseToolState(JSON.stringify(state))).toEqual(state);
    expect(parseToolState('')).toEqual(EMPTY_TOOL_STATE);
    expect(parseToolState('{}')).toEqual(EMPTY_TOOL_STATE);
  });

  it('throws for a stored state that is malformed', () => {
    expect(() => parseToolState('{"kv":{"a":1}}')).toThrow();
    expect(() => parseToolState('[')).toThrow();
  });
});
