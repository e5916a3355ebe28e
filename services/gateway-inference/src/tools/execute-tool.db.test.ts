import { describe, expect, it, jest } from '@jest/globals';
import { HookDecision } from '@tollgate/contracts/hooks/v1/tool_hooks_pb.js';
import { SchemaThread } from '@tollgate/tools/schema-thread';
import { type AskedTool, executeTool, inRun } from '../testing/execute-tool.js';
import { ask } from '../testing/inference-system.js';
import { stateWith } from '../testing/tool-peers.js';
import { declare, ToolTurns, write } from '../testing/tool-turns.js';

const turns = ToolTurns.forThisFile();
const STATE_ID = 'a0000000-0000-4000-8000-000000000001';
const { NONE, ALLOW, BLOCK, RESULT, FAILED, UNAVAILABLE } = HookDecision;

const execute = (asked: AskedTool) => executeTool(turns, asked);
const readOutput = async (asked: AskedTool): Promise<unknown> => JSON.parse((await execute(asked)).output);
const hooks = () => turns.system.peers.hooks;
const kvWrite = { name: 'kv_write', args: { key: 'a', value: '1' }, context: inRun({ kv: {}, tasks: [] }) };

describe('hooks around a tool', () => {
  it('asks hooks before, instead of and after the tool, with the underscore spelling', async () => {
    await execute({ ...kvWrite, name: 'kv.write' });
    expect(turns.system.peers.hookCalls).toMatchObject([
      {
        hookType: 'pre_tool_use',
        toolName: 'kv_write',
        argumentsJson: '{"key":"a","value":"1"}',
        toolCallId: 'call_1',
      },
      { hookType: 'tool_execute', toolName: 'kv_write' },
      { hookType: 'post_tool_use', toolName: 'kv_write', toolResultJson: '{"ok":true}' },
    ]);
  });

  it.each(['pre_tool_use', 'tool_execute'])(
    'returns the reason of a blocking %s as the result, and runs no tool',
    async (type) => {
      hooks().set(type, () => ({ decision: BLOCK, error: 'not today' }));
      const answer = await execute(kvWrite);
      expect(JSON.parse(answer.output)).toEqual({ error: { code: 'FORBIDDEN', message: 'not today' } });
      expect(answer).toMatchObject({ handled: true, errorCode: 'FORBIDDEN' });
      expect(answer.runStateJson).toHaveLength(0);
      expect(turns.system.peers.hookCalls.at(-1)?.hookType).toBe(type);
    },
  );

  it('hides the result of the tool when a post-tool hook blocks', async () => {
    hooks().set('post_tool_use', () => ({ decision: BLOCK, error: 'hidden' }));
    expect(await readOutput(kvWrite)).toEqual({ error: { code: 'FORBIDDEN', message: 'hidden' } });
  });

  it.each(['pre_tool_use', 'tool_execute'])('passes the arguments that a %s has changed to the tool', async (type) => {
    hooks().set(type, (req) => ({ decision: ALLOW, toolName: req.toolName, argumentsJson: '{"key":"b","value":"2"}' }));
    const answer = await execute(kvWrite);
    expect(JSON.parse(Buffer.from(answer.runStateJson).toString())).toMatchObject({ kv: { b: '2' } });
    expect(answer).toMatchObject({ arguments: '{"key":"b","value":"2"}', changedKey: 'b' });
  });

  it.each(['pre_tool_use', 'tool_execute'])('lets a %s change the call to another tool', async (type) => {
    hooks().set(type, () => ({ decision: ALLOW, toolName: 'kv.read', argumentsJson: '{"key":"z"}' }));
    expect(await readOutput({ ...kvWrite, context: inRun({ kv: { z: '9' } }) })).toEqual({ found: true, value: '9' });
  });

  it.each(['pre_tool_use', 'tool_execute'])('checks the arguments of a %s like those of the model', async (type) => {
    hooks().set(type, (req) => ({ decision: ALLOW, toolName: req.toolName, argumentsJson: '{"key":7}' }));
    const answer = await execute(kvWrite);
    expect(answer.errorCode).toBe('INVALID_INPUT');
    expect(answer.output).toContain('key:');
    expect(answer.runStateJson).toHaveLength(0);
  });

  it.each(['pre_tool_use', 'tool_execute'])(
    'checks the arguments of a %s against the schema of the client',
    async (type) => {
      hooks().set(type, (req) => ({ decision: ALLOW, toolName: req.toolName, argumentsJson: '{"key":"b"}' }));
      const parameters = { properties: { key: { enum: ['a'] } } };
      const answer = await execute({ ...kvWrite, name: 'kv_read', args: { key: 'a' }, parameters });
      expect(answer.errorCode).toBe('INVALID_INPUT');
    },
  );

  it('checks arguments by the schema of the client in a thread', async () => {
    const findFault = jest.spyOn(SchemaThread.prototype, 'findFault');
    const parameters = { required: ['key'] };
    expect((await execute({ ...kvWrite, parameters })).output).toContain('"ok":true');
    const checks = findFault.mock.calls.map(([, schema, args]) => ({ schema, args }));
    const check = { schema: parameters, args: JSON.stringify(kvWrite.args) };
    expect(checks).toEqual([check, check]);
    expect(findFault.mock.contexts.map((thread) => (thread as SchemaThread).running.quick)).toEqual([true, true]);
    findFault.mockRestore();
  });

  it('returns the result of a hook that runs the tool, and shows it to later hooks', async () => {
    hooks().set('tool_execute', () => ({ decision: RESULT, resultJson: '{"mine":1}' }));
    const answer = await execute(kvWrite);
    expect(JSON.parse(answer.output)).toEqual({ mine: 1 });
    expect(answer.runStateJson).toHaveLength(0);
    expect(turns.system.peers.hookCalls.at(-1)).toMatchObject({
      hookType: 'post_tool_use',
      toolResultJson: '{"mine":1}',
    });
  });

  it('lets a post-tool hook change the result', async () => {
    hooks().set('post_tool_use', () => ({ decision: ALLOW, resultJson: '{"changed":true}' }));
    const answer = await execute(kvWrite);
    expect(JSON.parse(answer.output)).toEqual({ changed: true });
    expect(answer.runStateJson.length).toBeGreaterThan(0);
  });

  it.each([
    ['pre_tool_use', false],
    ['tool_execute', true],
    ['post_tool_use', false],
  ])('fails the call when a %s fails, retryable as the hook reports (%s)', async (type, retryable) => {
    hooks().set(type, () => ({ decision: FAILED, error: 'status 500', retryable }));
    await expect(execute(kvWrite)).rejects.toMatchObject({
      code: 'HOOK_FAILED',
      status: 503,
      retryable,
      message: expect.stringContaining('status 500'),
    });
    turns.plays({ calls: [write('a')] });
    expect(await turns.catchError(ask('go', declare('kv_write')))).toMatchObject({ code: 'HOOK_FAILED', retryable });
  });

  it('runs no tool if the hooks cannot be asked', async () => {
    turns.system.peers.areHooksUnavailable = true;
    await expect(execute(kvWrite)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
    turns.plays({ calls: [write('a')] });
    const failed = await turns.catchError(ask('go', declare('kv_write')));
    expect(failed).toMatchObject({ code: 'HOOK_FAILED', retryable: true });
  });

  it('rejects arguments that are not an object before any hook or tool', async () => {
    for (const args of ['{', '[]', '7', 'null']) {
      expect(await readOutput({ ...kvWrite, args })).toMatchObject({ error: { code: 'INVALID_INPUT' } });
    }
    expect(turns.system.peers.hookCalls).toHaveLength(0);
  });
});

describe('tools that only a hook runs', () => {
  it('runs a tool of the client by a matching hook, and continues with its result', async () => {
    turns.system.peers.executedTools = ['shop.search'];
    hooks().set('tool_execute', () => ({ decision: RESULT, resultJson: '["a shoe"]' }));
    turns.plays({ calls: [{ name: 'shop_search', args: { q: 'shoe' } }] }, { text: 'One.' });
    const answer = await turns.answer(ask('go', declare('shop_search')));
    expect(answer).toMatchObject({ stop_reason: 'stop', tool_results: [{ name: 'shop_search', output: ['a shoe'] }] });
    expect((await execute({ name: 'shop_search' })).handled).toBe(true);
  });

  it('finds the hook among many others', async () => {
    Object.assign(turns.system.peers, { executedTools: ['shop.search'], otherHooks: 250 });
    hooks().set('tool_execute', () => ({ decision: RESULT, resultJson: '1' }));
    expect((await execute({ name: 'shop_search' })).handled).toBe(true);
  });

  it.each(['switched_off', 'looked_at', 'weather'])('returns the call of %s to the client', async (name) => {
    expect(await execute({ name })).toMatchObject({ handled: false, output: '' });
    turns.plays({ calls: [{ name, args: {} }] });
    expect((await turns.answer(ask('go', declare(name)))).stop_reason).toBe('tool_use');
    expect(turns.system.peers.hookCalls).toHaveLength(0);
  });

  it('asks only the bound hook', async () => {
    hooks().set('tool_execute', () => ({ decision: RESULT, resultJson: '1' }));
    const hookId = 'c0000000-0000-4000-8000-000000000001';
    expect(await readOutput({ name: 'own_tool', hookId })).toBe(1);
    expect(turns.system.peers.hookCalls.map((call) => [call.hookType, call.hookId])).toEqual([
      ['pre_tool_use', ''],
      ['tool_execute', hookId],
      ['post_tool_use', ''],
    ]);
  });

  it.each([
    ['cannot run it', { decision: UNAVAILABLE, error: 'the tool hook is disabled' }, 'the tool hook is disabled'],
    ['is not known', { decision: NONE }, 'not available'],
    ['allows it without a result', { decision: ALLOW }, 'did not return a result'],
    [
      'turns it into another tool',
      { decision: ALLOW, toolName: 'kv_write', argumentsJson: '{"key":"a","value":"1"}' },
      'did not return a result',
    ],
  ])('fails a bound tool, also one of the service, when the hook %s', async (_what, answer, reason) => {
    hooks().set('tool_execute', () => answer);
    for (const tool of [{ name: 'own_tool' }, kvWrite]) {
      const { output, errorCode, handled, runStateJson } = await execute({ ...tool, hookId: 'h' });
      expect({ handled, errorCode, state: runStateJson.length }).toEqual({
        handled: true,
        errorCode: 'TOOL_UNHANDLED',
        state: 0,
      });
      expect(JSON.parse(output).error.message).toContain(reason);
    }
  });

  it('offers another try of a tool whose hook failed open', async () => {
    hooks().set('tool_execute', () => ({ decision: ALLOW, error: 'endpoint answered 503' }));
    for (const tool of [
      { name: 'own_tool', hookId: 'h' },
      { ...kvWrite, hookId: 'h' },
    ]) {
      const { output, errorCode, retryable } = await execute(tool);
      expect({ errorCode, retryable }).toEqual({ errorCode: 'TOOL_UNHANDLED', retryable: true });
      expect(JSON.parse(output).error.message).toContain('endpoint answered 503');
    }
    expect(await execute(kvWrite)).toMatchObject({ errorCode: '', retryable: false });
  });

  it('checks the arguments of a bound tool against the schema of its client', async () => {
    hooks().set('tool_execute', () => ({ decision: RESULT, resultJson: '1' }));
    const parameters = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const tool = { name: 'own_tool', hookId: 'h', parameters };
    expect(await readOutput({ ...tool, args: { n: 1 } })).toBe(1);
    expect(await readOutput({ ...tool, args: { n: 'x' } })).toMatchObject({ error: { code: 'INVALID_INPUT' } });
  });
});

describe('a request', () => {
  it.each(['holdId', 'toolCallId', 'name'])('rejects a request without %s', async (missing) => {
    const request = { holdId: 'r', toolCallId: 'c', name: 'kv_list', [missing]: '' };
    const refused = turns.system.tools.executeTool(request, turns.system.call());
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
describe('an unavailable dependency', () => {
  it('fails the call of a caller that can repeat it, and is a result for a model', async () => {
    const peers = turns.system.peers;
    peers.isStateUnavailable = true;
    const context = { stateId: STATE_ID };
    await expect(execute({ name: 'kv_list', context })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    peers.isStateUnavailable = false;
    peers.scopes.set(STATE_ID, stateWith({}));
    hooks().set('pre_tool_use', () => {
      peers.isStateUnavailable = true;
      return { decision: NONE };
    });
    turns.plays({ calls: [write('a')] }, { text: 'Sorry.' });
    const answer = await turns.answer(ask('go', { ...declare('kv_write'), state_id: STATE_ID }));
    expect(answer.tool_results[0].output).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
  });
});
