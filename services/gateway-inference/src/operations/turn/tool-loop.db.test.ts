import { describe, expect, it } from '@jest/globals';
import { until } from '../../testing/condition.js';
import { ask, collect, decodeEvents } from '../../testing/inference-system.js';
import { stateWith } from '../../testing/tool-peers.js';
import { declare, ToolTurns, write } from '../../testing/tool-turns.js';

const STATE_ID = 'a0000000-0000-4000-8000-000000000001';
const turns = ToolTurns.forThisFile();

describe('a turn with tools of the service', () => {
  it('runs tools, asks the model again with their results, and answers once', async () => {
    turns.plays({ calls: [write('a/b')] }, { calls: [{ name: 'kv_read', args: { key: 'a/b' } }] }, { text: 'Done.' });
    const answer = await turns.answer(ask('go', declare('kv_write', 'kv_read')));
    expect(answer).toMatchObject({
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Done.' }] }],
      stop_reason: 'stop',
      tool_results: [
        { tool_call_id: 'call_1_0', name: 'kv_write', output: { ok: true } },
        { tool_call_id: 'call_2_0', name: 'kv_read', output: { found: true, value: 'v' } },
      ],
    });
    expect(answer.output[0].tool_calls).toBeUndefined();
    expect(turns.provider.requests).toHaveLength(3);
    expect(turns.asked(2).messages.slice(1)).toEqual([
      expect.objectContaining({ role: 'assistant', tool_calls: [expect.objectContaining({ id: 'call_1_0' })] }),
      expect.objectContaining({ role: 'tool', tool_call_id: 'call_1_0', content: '{"ok":true}' }),
      expect.objectContaining({ role: 'assistant', tool_calls: [expect.objectContaining({ id: 'call_2_0' })] }),
      expect.objectContaining({ role: 'tool', tool_call_id: 'call_2_0', content: '{"found":true,"value":"v"}' }),
    ]);
  });

  it('asks hooks by an id that does not depend on the client', async () => {
    for (const holdId of ['hold-1', 'hold-2']) {
      turns.plays({ calls: [write('a/b')] }, { text: 'Done.' });
      await turns.answer(ask('go', declare('kv_write')), { ...turns.mini, requestId: 'mine', holdId });
    }
    const asked = turns.system.peers.hookCalls.filter(({ hookType }) => hookType === 'pre_tool_use');
    expect(asked).toMatchObject([
      { requestId: 'mine', executionId: 'hold-1', toolCallId: 'call_1_0' },
      { requestId: 'mine', executionId: 'hold-2', toolCallId: 'call_1_0' },
    ]);
  });

  it('settles once with the usage of all model calls, and extends the hold before each further call', async () => {
    turns.plays(
      { calls: [write('a')], usage: [100, 20] },
      { calls: [write('b')], usage: [150, 10] },
      { usage: [200, 7], text: 'x' },
    );
    const call = turns.system.call();
    const [frame] = await collect(turns.system.turn(ask('go', declare('kv_write')), turns.mini, call));
    expect(JSON.parse(decodeEvents(frame!)[0]!).usage).toEqual({
      input_tokens: 450,
      output_tokens: 37,
      total_tokens: 487,
    });
    expect(turns.system.ledger.findSettlement(call.requestId)).toMatchObject({
      usage: { inputTokens: 450n, outputTokens: 37n, estimated: false },
      facts: { success: true, stopReason: 'stop', responseId: 'chat-3' },
    });
    const { extensions } = turns.system.ledger;
    expect(extensions.map(({ holdId, extension }) => [holdId, extension])).toEqual([
      [call.requestId, 1],
      [call.requestId, 2],
    ]);
    expect(extensions[1]!.inputTokensEstimate).toBeGreaterThan(extensions[0]!.inputTokensEstimate);
  });

  it('streams every model call, and each tool result after its call', async () => {
    turns.plays(
      { text: 'Looking.', calls: [write('a'), write('b')] },
      { calls: [{ name: 'kv_list', args: {} }] },
      { text: 'Two.' },
    );
    const events = await turns.events(ask('go', declare('kv.write', 'kv_list')));
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type === 'start')).toHaveLength(1);
    expect(types.at(-1)).toBe('completion');
    const starts = events.filter(({ type }) => type === 'tool_use_start');
    expect(starts.map(({ tool_call_delta: delta }) => (delta as { index: number }).index)).toEqual([0, 1, 2]);
    const stops = events.filter(({ type }) => type === 'tool_use_stop');
    expect(stops).toMatchObject([
      {
        tool_calls: [{ id: 'call_1_0' }],
        tool_result: { tool_call_id: 'call_1_0', name: 'kv.write', output: { ok: true } },
      },
      { tool_calls: [{ id: 'call_1_1' }], tool_result: { tool_call_id: 'call_1_1', output: { ok: true } } },
      {
        tool_calls: [{ function: { name: 'kv_list', arguments: '{}' } }],
        tool_result: { output: { keys: ['a', 'b'] } },
      },
    ]);
    expect(events.at(-1)).toMatchObject({ content: 'Looking.Two.', stop_reason: 'stop' });
    expect(events.at(-1)).not.toHaveProperty('tool_calls');
    const written = stops[0]!.tool_calls as { function: { arguments: string } }[];
    expect(JSON.parse(written[0]!.function.arguments)).toEqual({ key: 'a', value: 'v' });
  });

  it('includes the text before tool calls in the answer', async () => {
    turns.plays({ text: 'Looking.', calls: [write('a')] }, { text: 'Done.' });
    const { output } = await turns.answer(ask('go', declare('kv_write')));
    expect(output[0].content).toEqual([
      { type: 'text', text: 'Looking.' },
      { type: 'text', text: 'Done.' },
    ]);
  });

  it('leaves earlier text out if the answer must be one JSON value', async () => {
    turns.plays({ text: 'Looking.', calls: [write('a')] }, { text: '{"a":1}' });
    const body = ask('go', { ...declare('kv_write'), output_format: { type: 'json_object' } });
    expect((await turns.answer(body)).output[0].content).toEqual([{ type: 'text', text: '{"a":1}' }]);
  });

  it('sends a required tool choice with the first model call only', async () => {
    turns.plays({ calls: [write('a')] }, { text: 'ok' });
    await turns.answer(ask('go', { ...declare('kv_write'), tool_choice: { type: 'required' } }));
    expect(turns.asked(0)).toMatchObject({ tool_choice: 'required' });
    expect(turns.asked(1)).not.toMatchObject({ tool_choice: 'required' });
  });

  it('reports a tool in its declared spelling, and offers the parts that the client left out', async () => {
    const tools = [
      { type: 'function', function: { name: 'kv.write' } },
      {
        type: 'function',
        function: { name: 'kv.read', parameters: { type: 'object', properties: { key: { const: 'k' } } } },
      },
    ];
    const answer = await turns.system.answer(ask('call tool kv_write', { tools }));
    expect(answer.tool_results).toMatchObject([{ name: 'kv.write', output: { ok: true } }]);
    turns.plays({ text: 'hi' });
    await turns.answer(ask('go', { tools }));
    expect(turns.provider.requests[0]!.body.tools).toMatchObject([
      { function: { description: expect.any(String), parameters: { required: ['key', 'value'] } } },
      { function: { parameters: { properties: { key: { const: 'k' } } } } },
    ]);
  });
});

describe('tools of the client', () => {
  it('ends the turn with calls of the client’s tools', async () => {
    turns.plays({ text: 'Wait.', calls: [{ name: 'weather', args: { city: 'Bern' } }] });
    const answer = await turns.answer(ask('go', declare('weather', 'kv_write')));
    expect(answer).toMatchObject({
      stop_reason: 'tool_use',
      output: [{ role: 'assistant', tool_calls: [{ id: 'call_1_0', function: { name: 'weather' } }] }],
    });
    expect(answer).not.toHaveProperty('tool_results');
    expect(turns.provider.requests).toHaveLength(1);
  });

  it('runs the service’s tools of mixed calls, and puts their results after the message', async () => {
    turns.plays({ calls: [write('a'), { name: 'weather', args: {} }] });
    const body = ask('go', declare('weather', 'kv_write'));
    const answer = await turns.answer(body);
    expect(answer.stop_reason).toBe('tool_use');
    expect(answer.output).toEqual([
      {
        type: 'message',
        role: 'assistant',
        content: [],
        tool_calls: [expect.objectContaining({ id: 'call_1_0' }), expect.objectContaining({ id: 'call_1_1' })],
      },
      { type: 'message', role: 'tool', tool_call_id: 'call_1_0', content: [{ type: 'text', text: '{"ok":true}' }] },
    ]);
    turns.plays({ calls: [write('a'), { name: 'weather', args: {} }] });
    const events = await turns.events(body);
    expect(events.slice(-3)).toMatchObject([
      { type: 'tool_use_stop', tool_calls: [{ id: 'call_1_0' }], tool_result: { output: { ok: true } } },
      { type: 'tool_use_stop', tool_calls: [{ id: 'call_1_1' }] },
      { type: 'completion', stop_reason: 'tool_use', tool_calls: [{ id: 'call_1_0' }, { id: 'call_1_1' }] },
    ]);
    expect(events.at(-2)).not.toHaveProperty('tool_result');
  });

  it('does not run a tool of the service that was not declared', async () => {
    turns.plays({ calls: [write('a')] });
    const answer = await turns.answer(ask('go', declare('kv_read')));
    expect(answer).toMatchObject({
      stop_reason: 'tool_use',
      output: [{ tool_calls: [{ function: { name: 'kv_write' } }] }],
    });
    expect(turns.system.peers.hookCalls).toHaveLength(0);
  });

  it('does not run a call that was cut at the output bound', async () => {
    turns.plays({ calls: [{ name: 'kv_write', args: '{"key":"a"' }], finishReason: 'length' });
    const answer = await turns.answer(ask('go', declare('kv_write')));
    expect(answer.stop_reason).toBe('max_tokens');
    expect(answer).not.toHaveProperty('tool_results');
  });

  it('returns the calls to a caller that runs the tools itself', async () => {
    turns.plays({ calls: [write('a')] });
    const answer = await turns.answer(ask('go', declare('kv.write')), { ...turns.mini, returnsToolCalls: true });
    expect(answer).toMatchObject({ stop_reason: 'tool_use', output: [{ tool_calls: [{ id: 'call_1_0' }] }] });
    expect(turns.provider.requests[0]!.body.tools).toMatchObject([
      { function: { parameters: { required: ['key', 'value'] } } },
    ]);
  });
});

describe('bounds of a turn', () => {
  it('pauses the next model call for a slow reader', async () => {
    const pieces = 2_000;
    let sent = 0;
    const event = (delta: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    const call = { index: 0, id: 'k', type: 'function', function: { name: 'kv_list', arguments: '{}' } };
    turns.provider.handler = (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      if (turns.provider.requests.length === 1) {
        // Sent in one piece, so that it arrives before the slow reader can pause it.
        const said = event({ content: 'sixteen letters.' }).repeat(200);
        return res.end(`${said}${event({ tool_calls: [call] })}${event({}, 'tool_calls')}data: [DONE]\n\n`);
      }
      const go = (): void => {
        while (sent < pieces) {
          sent++;
          if (!res.write(event({ content: 'y'.repeat(16_000) }))) return void res.once('drain', go);
        }
        res.end(`${event({}, 'stop')}data: [DONE]\n\n`);
      };
      go();
    };
    const body = ask('go', { ...declare('kv_list'), max_output_tokens: 10_000_000 });
    const turn = turns.system.turn(body, { ...turns.mini, stream: true });
    const reader = turn[Symbol.asyncIterator]();
    const events = decodeEvents((await reader.next()).value);
    let before = 0;
    let still = 0;
    await until('the provider is paused', () => {
      still = sent > 0 && sent === before ? still + 1 : 0;
      before = sent;
      return still === 20;
    });
    expect(sent).toBeLessThan(pieces / 2);
    for (let item = await reader.next(); !item.done; item = await reader.next())
      events.push(...decodeEvents(item.value));
    expect(JSON.parse(events.at(-1)!).content).toHaveLength(200 * 16 + pieces * 16_000);
  });

  it('ends a turn after 8 model calls', async () => {
    turns.plays({ calls: [write('a')] });
    const call = turns.system.call();
    await expect(collect(turns.system.turn(ask('go', declare('kv_write')), turns.mini, call))).rejects.toMatchObject({
      code: 'TOOL_LOOP_LIMIT',
      status: 400,
    });
    expect(turns.provider.requests).toHaveLength(8);
    expect(turns.system.ledger.findSettlement(call.requestId)).toMatchObject({
      usage: { inputTokens: 80n, outputTokens: 40n },
      facts: { success: false, errorCode: 'TOOL_LOOP_LIMIT' },
    });
  });

  it('ends a turn after 16 tool calls', async () => {
    const six = Array.from({ length: 6 }, (_, i) => write(`k${i}`));
    turns.plays({ calls: six }, { calls: six.slice(0, 5) }, { calls: six.slice(0, 5) }, { text: 'ok' });
    const answer = await turns.answer(ask('go', declare('kv_write')));
    expect(answer.tool_results).toHaveLength(16);
    turns.plays({ calls: six }, { calls: six }, { calls: six.slice(0, 5) });
    expect(await turns.catchError(ask('go', declare('kv_write')))).toMatchObject({ code: 'TOOL_LOOP_LIMIT' });
  });

  it('bounds the whole answer by max_output_tokens', async () => {
    turns.plays({ calls: [write('a')], usage: [10, 30] }, { text: 'ok', usage: [10, 5] });
    const body = ask('go', { ...declare('kv_write'), max_output_tokens: 40 });
    await turns.answer(body);
    expect(turns.system.ledger.extensions[0]).toMatchObject({ maxOutputTokens: 10 });
    expect(turns.asked(1)).toMatchObject({ max_tokens: 10 });
    turns.plays({ calls: [write('a')], usage: [10, 40] }, { text: 'never' });
    const cut = await turns.answer(body);
    expect(cut).toMatchObject({ stop_reason: 'max_tokens', tool_results: [{ output: { ok: true } }] });
    expect(cut.output[0].tool_calls).toBeUndefined();
  });

  it('rejects results that do not fit the model’s context window', async () => {
    turns.system.peers.scopes.set(STATE_ID, stateWith({ a: 'x'.repeat(32_000) }));
    const read = { name: 'kv_read', args: { key: 'a' } };
    turns.plays({ calls: Array(16).fill(read) });
    expect(await turns.catchError(ask('go', { ...declare('kv_read'), state_id: STATE_ID }))).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('context window'),
    });
  });
});

describe('tools of the provider', () => {
  it.each([
    ['web', 'web_search'],
    ['code_execution', 'code_execution'],
    ['x_search', 'xai'],
  ])('rejects %s for a model without it', async (type, named) => {
    expect(await turns.catchError(ask('go', { tools: [{ type }] }))).toMatchObject({
      code: 'MODEL_CAPABILITY_UNSUPPORTED',
      message: expect.stringContaining(named),
    });
    expect(turns.provider.requests).toHaveLength(0);
  });
});
