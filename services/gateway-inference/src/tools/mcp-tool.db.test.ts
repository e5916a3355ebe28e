import { describe, expect, it } from '@jest/globals';
import { HookDecision } from '@tollgate/contracts/hooks/v1/tool_hooks_pb.js';
import { executeTool, HOLD_ID, TOOL_CALL_ID } from '../testing/execute-tool.js';
import { ToolTurns } from '../testing/tool-turns.js';

const turns = ToolTurns.forThisFile();
const { ALLOW, BLOCK, RESULT } = HookDecision;
const TOOL = 'mcp__notes__find';

const peers = () => turns.system.peers;
const execute = (more: { args?: object; parameters?: object } = {}) =>
  executeTool(turns, { name: TOOL, args: { q: 1 }, mcpServer: 'notes', ...more });

describe('a tool of an MCP server', () => {
  it('calls the server under the ids of the step', async () => {
    expect(await execute()).toMatchObject({ handled: true, output: '"by the server"', errorCode: '' });
    expect(peers().mcpCalls).toMatchObject([
      {
        server: 'notes',
        toolName: TOOL,
        argumentsJson: '{"q":1}',
        executionId: HOLD_ID,
        toolCallId: TOOL_CALL_ID,
        callId: TOOL_CALL_ID,
      },
    ]);
  });

  it('passes the hooks like other tools', async () => {
    await execute();
    expect(peers().hookCalls).toMatchObject([
      { hookType: 'pre_tool_use', toolName: TOOL },
      { hookType: 'tool_execute', toolName: TOOL },
      { hookType: 'post_tool_use', toolName: TOOL, toolResultJson: '"by the server"' },
    ]);
  });

  it.each(['pre_tool_use', 'tool_execute'])('does not call the server when a %s blocks', async (type) => {
    peers().hooks.set(type, () => ({ decision: BLOCK, error: 'not today' }));
    expect(await execute()).toMatchObject({ errorCode: 'FORBIDDEN' });
    expect(peers().mcpCalls).toEqual([]);
  });

  it('does not call the server when a hook executes the tool', async () => {
    peers().hooks.set('tool_execute', () => ({ decision: RESULT, resultJson: '{"mine":1}' }));
    expect((await execute()).output).toBe('{"mine":1}');
    expect(peers().mcpCalls).toEqual([]);
  });

  it.each([
    ['mcp__notes__other', 'TOOL_UNHANDLED'],
    ['mcp__other__find', 'TOOL_UNHANDLED'],
  ])('does not call %s at the server when a hook changes the call to it', async (toolName, code) => {
    peers().hooks.set('pre_tool_use', () => ({ decision: ALLOW, toolName, argumentsJson: '{}' }));
    expect(await execute()).toMatchObject({ errorCode: code });
    expect(peers().mcpCalls).toEqual([]);
  });

  it('receives the arguments that a hook has changed', async () => {
    peers().hooks.set('pre_tool_use', () => ({ decision: ALLOW, toolName: TOOL, argumentsJson: '{"q":2}' }));
    expect((await execute()).arguments).toBe('{"q":2}');
    expect(peers().mcpCalls).toMatchObject([{ argumentsJson: '{"q":2}' }]);
  });

  it('refuses arguments that do not match the schema of the tool', async () => {
    const parameters = { type: 'object', properties: { q: { type: 'string' } } };
    expect(await execute({ parameters })).toMatchObject({ errorCode: 'INVALID_INPUT' });
    expect(peers().mcpCalls).toEqual([]);
  });

  it('reports a failure of the server as its result', async () => {
    peers().mcpResult = '{"error":{"code":"PROVIDER_TIMEOUT","message":"no answer"}}';
    expect(await execute()).toMatchObject({ handled: true, errorCode: 'PROVIDER_TIMEOUT' });
  });

  it('fails the call, so that it is repeated, when the service that makes it is unavailable', async () => {
    peers().isMcpUnavailable = true;
    await expect(execute()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
  });
});
