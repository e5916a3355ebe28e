import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { WebhookReceiver } from '@tollgate/testkit';
import type { ToolCall } from '../../domain/tool-hooks/tool-call.js';
import { markToolHookDeleted } from '../../store/tool-hooks.js';
import { type Harness, startHarness } from '../../testing/harness.js';
import { checkToolBindings } from './check-tool-bindings.js';
import { runToolHooks } from './run-tool-hooks.js';
import { type CreateToolHookCommand, createToolHook, updateToolHook } from './tool-hooks.js';

let h: Harness;
let receiver: WebhookReceiver;
let projectId: string;

beforeAll(async () => {
  h = await startHarness(import.meta.url);
  receiver = await h.startReceiver();
  // Each hook answers with its own path.
  receiver.answerWith(({ path }) => ({ body: { result: path } }));
});
afterAll(() => h.stop());
beforeEach(() => {
  projectId = randomUUID();
});

async function newHook(path: string, given: Partial<CreateToolHookCommand> = {}): Promise<string> {
  const endpointUrl = receiver.url.replace(/\/$/, path);
  const command = { hookType: 'tool_execute', endpointUrl, failBehavior: '', toolsAllowlist: ['search'], ...given };
  return (await createToolHook(h.ctx, projectId, command)).hook.id;
}

function newCall(given: Partial<ToolCall> = {}): ToolCall {
  const ids = { projectId, endUserId: undefined, requestId: 'r', executionId: randomUUID(), toolCallId: 'c' };
  return { ...ids, hookType: 'tool_execute', toolName: 'search', argumentsJson: '{}', resultJson: undefined, ...given };
}

const run = (call: ToolCall, hookId: string) => runToolHooks(h.ctx, call, hookId, new AbortController().signal);

const changes: [string, (id: string) => Promise<unknown>, RegExp][] = [
  ['deleted', (id) => markToolHookDeleted(h.ctx.pool, projectId, id, new Date()), /deleted/],
  ['disabled', (id) => updateToolHook(h.ctx, projectId, id, { enabled: false, rotateSecret: false }), /disabled/],
  [
    'limited to other tools',
    (id) => updateToolHook(h.ctx, projectId, id, { toolsAllowlist: ['find'], rotateSecret: false }),
    /allowlist/,
  ],
];

describe('the hook that a tool is bound to', () => {
  it('receives the call alone', async () => {
    await newHook('/first');
    const second = await newHook('/second');
    const before = receiver.deliveries.length;
    expect(await run(newCall(), second)).toEqual({ kind: 'result', resultJson: '"/second"' });
    expect(receiver.deliveries.length - before).toBe(1);
  });

  it.each(changes)(
    'makes the tool unavailable without calling another hook when it is %s',
    async (_state, change, reason) => {
      const id = await newHook('/bound');
      await newHook('/other');
      const decided = newCall();
      expect(await run(decided, id)).toEqual({ kind: 'result', resultJson: '"/bound"' });
      await change(id);
      const before = receiver.deliveries.length;
      expect(await run(newCall(), id)).toEqual({ kind: 'unavailable', error: expect.stringMatching(reason) });
      // A recorded decision stays valid.
      expect(await run(decided, id)).toEqual({ kind: 'result', resultJson: '"/bound"' });
      expect(receiver.deliveries.length).toBe(before);
    },
  );

  it('makes the tool unavailable when its type is wrong, or it is foreign or unknown', async () => {
    const guard = await newHook('/guard', { hookType: 'pre_tool_use', toolsAllowlist: [] });
    expect(await run(newCall(), guard)).toMatchObject({ error: expect.stringContaining('pre_tool_use') });
    const id = await newHook('/bound');
    expect(await run(newCall({ projectId: randomUUID() }), id)).toMatchObject({ kind: 'unavailable' });
    for (const unknown of [randomUUID(), 'x']) {
      expect(await run(newCall(), unknown)).toMatchObject({ kind: 'unavailable' });
    }
  });
});

describe('checkToolBindings', () => {
  const check = (...bindings: [hookId: string, toolName: string][]) =>
    checkToolBindings(
      h.ctx,
      projectId,
      bindings.map(([hookId, toolName]) => ({ hookId, toolName })),
    );

  it.each(changes)('reports a hook that is %s', async (_state, change, reason) => {
    const id = await newHook('/bound');
    expect(await check([id, 'search'])).toEqual(['']);
    await change(id);
    expect(await check([id, 'search'])).toEqual([expect.stringMatching(reason)]);
  });

  it('returns one result per binding, in order', async () => {
    const id = await newHook('/bound');
    const mine = projectId;
    projectId = randomUUID();
    const foreign = await newHook('/foreign');
    projectId = mine;
    const deleted = expect.stringContaining('deleted or never existed');
    expect(
      await check(
        [id, 'find'],
        [randomUUID(), 'search'],
        [id.toUpperCase(), 'search'],
        ['x', 'search'],
        [foreign, 'search'],
      ),
    ).toEqual([expect.stringContaining('allowlist'), deleted, '', deleted, deleted]);
  });
});
