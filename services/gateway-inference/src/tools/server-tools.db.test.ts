import { describe, expect, it } from '@jest/globals';
import { type AskedTool, executeTool, inRun, RUN_ID } from '../testing/execute-tool.js';
import { stateWith } from '../testing/tool-peers.js';
import { ToolTurns } from '../testing/tool-turns.js';

const turns = ToolTurns.forThisFile();
const STATE_ID = 'a0000000-0000-4000-8000-000000000001';

const execute = (asked: AskedTool) => executeTool(turns, asked);
const readOutput = async (asked: AskedTool): Promise<unknown> => JSON.parse((await execute(asked)).output);
const kvWrite = { name: 'kv_write', args: { key: 'a', value: '1' }, context: inRun({ kv: {}, tasks: [] }) };

describe('state', () => {
  it('returns the state of a run with its change', async () => {
    const written = await execute({ ...kvWrite, context: inRun({ kv: { z: '0' }, tasks: [] }) });
    expect(JSON.parse(Buffer.from(written.runStateJson).toString())).toEqual({ kv: { z: '0', a: '1' }, tasks: [] });
    expect(written.changedKey).toBe('a');
    const tasks = [{ content: 'x', status: 'pending' }];
    const listed = await execute({ name: 'tasks_write', args: { tasks }, context: { runId: RUN_ID } });
    expect(JSON.parse(Buffer.from(listed.runStateJson).toString())).toEqual({ kv: {}, tasks });
    expect(listed.changedKey).toBe('');
    const read = await execute({ name: 'kv_read', args: { key: 'a' }, context: inRun({ kv: { a: '1' } }) });
    expect(read).toMatchObject({ output: '{"found":true,"value":"1"}' });
    expect(read.runStateJson).toHaveLength(0);
  });

  it('uses the state handle that a run names', async () => {
    turns.system.peers.scopes.set(STATE_ID, stateWith({ a: 'kept' }));
    const context = { ...inRun({ kv: { a: 'run' } }), stateId: STATE_ID };
    expect(await readOutput({ name: 'kv_read', args: { key: 'a' }, context })).toEqual({ found: true, value: 'kept' });
  });

  it.each(['kv_write', 'kv_read', 'kv_list', 'kv_delete', 'tasks_write'])(
    'rejects %s without a context',
    async (name) => {
      const args = { key: 'a', value: '1', tasks: [] };
      expect(await readOutput({ name, args })).toEqual({
        error: { code: 'INVALID_INPUT', message: 'run or session context is required' },
      });
    },
  );

  it('returns a deleted scope as a result', async () => {
    const context = { sessionId: STATE_ID };
    expect(await readOutput({ name: 'kv_list', context })).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });
});

describe('memory', () => {
  const args = { content: 'I like tea.' };
  const context = { agentId: 'a1', agentSlug: 'helper', runId: RUN_ID };

  it('writes the memory of the agent of the run', async () => {
    expect(await readOutput({ name: 'memory_write', args, context })).toEqual({ ok: true });
    expect(turns.system.peers.memories).toMatchObject([{ agentId: 'a1', content: 'I like tea.' }]);
  });

  it.each([
    ['outside an agent', args, {}, 'only available in agent runs'],
    ['over 32 KB', { content: 'x'.repeat(32_769) }, context, 'over 32768 bytes'],
  ])('rejects a memory %s', async (_when, written, where, message) => {
    expect(await readOutput({ name: 'memory_write', args: written, context: where })).toMatchObject({
      error: { code: 'INVALID_INPUT', message: expect.stringContaining(message) },
    });
    expect(turns.system.peers.memories).toHaveLength(0);
  });
});

describe('messages', () => {
  const send = { name: 'message_send', args: { to: 'agent:b@p', subject: 's', body: { n: 1 } } };

  it.each([
    ['an agent', { agentId: 'a1', agentSlug: 'helper', runId: RUN_ID }, 'agent:helper@p'],
    ['a run', { runId: RUN_ID }, `run:${RUN_ID}`],
    ['a request', {}, 'agent:api@p'],
  ])('sends from and reads the mailbox of %s', async (_who, context, address) => {
    expect(await readOutput({ ...send, context })).toMatchObject({ ok: true, message_id: expect.any(String) });
    await readOutput({ name: 'message.inbox', context });
    const [sent] = turns.system.peers.sent;
    const [inbox] = turns.system.peers.inboxes;
    expect(sent).toMatchObject({ from: address, to: 'agent:b@p', subject: 's', bodyJson: '{"n":1}' });
    expect(inbox).toMatchObject({ address, limit: 20 });
    expect(sent?.dedupeKey).toBe('b0000000-0000-4000-8000-000000000001/call_1');
    expect(inbox?.dedupeKey).toBe(sent?.dedupeKey);
    expect(sent?.runs.map(({ runId }) => runId)).toEqual(_who === 'a request' ? [] : [RUN_ID]);
  });

  it('replies to the sender in the same thread', async () => {
    const args = { message_id: 'a0000000-0000-4000-8000-0000000000aa', body: {} };
    const answer = await readOutput({ name: 'message_reply', args });
    expect(turns.system.peers.sent).toMatchObject([
      { to: 'agent:other@p', subject: 'Re: Hello', threadId: 'a0000000-0000-4000-8000-0000000000bb' },
    ]);
    expect(answer).toMatchObject({ thread_id: 'a0000000-0000-4000-8000-0000000000bb' });
  });

  it('returns messages of the inbox in the form of the contract', async () => {
    expect(await readOutput({ name: 'message_inbox' })).toMatchObject({
      messages: [{ from: 'agent:other@p', body: { n: 1 }, created_at: '1970-01-01T00:00:00.000Z' }],
    });
  });

  it('keeps the digits of numbers in bodies', async () => {
    const bodyJson = '{"n":12345678901234567890}';
    const sent = await execute({ ...send, args: `{"to":"agent:b@p","subject":"s","body":${bodyJson}}` });
    expect(JSON.parse(sent.output)).toMatchObject({ ok: true });
    const replied = `{"message_id":"a0000000-0000-4000-8000-0000000000aa","body":${bodyJson}}`;
    await execute({ name: 'message_reply', args: replied });
    expect(turns.system.peers.sent.map((message) => message.bodyJson)).toEqual([bodyJson, bodyJson]);
    turns.system.peers.messageBody = bodyJson;
    expect((await execute({ name: 'message_inbox' })).output).toContain(`"body":${bodyJson}`);
  });

  it('refuses to send to an agent that the project does not have', async () => {
    const args = { ...send.args, to: 'agent:nobody@p' };
    expect(await readOutput({ ...send, args })).toMatchObject({ error: { code: 'NOT_FOUND' } });
    expect(turns.system.peers.sent).toEqual([]);
  });

  it('returns a refusal as a result', async () => {
    const args = { ...send.args, to: 'nowhere' };
    expect(await readOutput({ ...send, args })).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  });
});

describe('other tools', () => {
  it('rejects web_search without a backend', async () => {
    expect(await readOutput({ name: 'web_search', args: { query: 'q' } })).toMatchObject({
      error: { code: 'WEB_SEARCH_UNAVAILABLE' },
    });
  });

  it.each([
    'https://127.0.0.1/',
    'https://localhost/',
    'http://example.com/',
    'https://169.254.169.254/',
    'file:///etc/passwd',
  ])('rejects web_fetch of %s, even if private endpoints are allowed elsewhere', async (url) => {
    expect(await readOutput({ name: 'web_fetch', args: { url } })).toMatchObject({
      error: { code: 'WEB_FETCH_FAILED' },
    });
  });

  it('reports the cost of an image, and charges a repeated call under the same id', async () => {
    const draw = { name: 'image_generation', args: { prompt: 'a cat' }, imageModel: 'sandbox/image-1' };
    const first = await execute(draw);
    await execute(draw);
    expect(first.costMicrocents).toBe(4_000_000n);
    const ids = turns.system.ledger.admitted.slice(-2).map(({ holdId }) => holdId);
    expect(ids[0]).toBe(ids[1]);
  });

  it('keeps the hold of a run whose admission lost its answer, because the engine repeats the call', async () => {
    const { ledger } = turns.system;
    const draw = { name: 'image_generation', args: { prompt: 'a dog' }, imageModel: 'sandbox/image-1' };
    const released = ledger.released.length;
    ledger.losesAdmissions = true;
    await expect(execute({ ...draw, context: { runId: RUN_ID } })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    ledger.losesAdmissions = false;
    const { costMicrocents } = await execute({ ...draw, context: { runId: RUN_ID } });
    expect(costMicrocents).toBe(4_000_000n);
    expect(ledger.released).toHaveLength(released);
  });

  it('rejects an image without a declared model', async () => {
    expect(await readOutput({ name: 'image_generation', args: { prompt: 'a cat' } })).toMatchObject({
      error: { code: 'INVALID_INPUT' },
    });
  });
});
