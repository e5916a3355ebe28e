import { describe, expect, it } from '@jest/globals';
import { chatScript } from '../../testing/chat-script.js';
import { ask, collect, decodeEvents } from '../../testing/inference-system.js';
import { stateWith } from '../../testing/tool-peers.js';
import { declare, ToolTurns, write } from '../../testing/tool-turns.js';

const STATE_ID = 'a0000000-0000-4000-8000-000000000001';
const turns = ToolTurns.forThisFile();

describe('storage contexts', () => {
  it('keeps the state of a state handle over requests', async () => {
    turns.system.peers.scopes.set(STATE_ID, stateWith({}));
    turns.plays({ calls: [write('a/b', '1')] }, { text: 'ok' });
    await turns.answer(ask('go', { ...declare('kv_write'), state_id: STATE_ID }));
    turns.plays({ calls: [{ name: 'kv_read', args: { key: 'a/b' } }] }, { text: 'ok' });
    const answer = await turns.answer(ask('go', { ...declare('kv_read'), state_id: STATE_ID }));
    expect(answer.tool_results[0].output).toEqual({ found: true, value: '1' });
  });

  it('keeps the state of a session over requests', async () => {
    turns.system.peers.scopes.set(STATE_ID, stateWith({ a: '1' }));
    turns.plays({ calls: [{ name: 'kv_list', args: {} }] }, { text: 'ok' });
    const answer = await turns.answer(ask('go', { ...declare('kv_list'), session_id: STATE_ID }));
    expect(answer.tool_results[0].output).toEqual({ keys: ['a'] });
  });

  it('keeps state for one response without a storage context', async () => {
    turns.plays({ calls: [write('a')] }, { calls: [{ name: 'kv_list', args: {} }] }, { text: 'ok' });
    const body = ask('go', declare('kv_write', 'kv_list'));
    expect((await turns.answer(body)).tool_results[1].output).toEqual({ keys: ['a'] });
    turns.plays({ calls: [{ name: 'kv_list', args: {} }] }, { text: 'ok' });
    expect((await turns.answer(body)).tool_results[0].output).toEqual({ keys: [] });
  });

  it.each(['state_id', 'session_id'])(
    'rejects an unknown %s before any provider is asked, with and without tools',
    async (field) => {
      for (const tools of [declare('kv_write'), {}]) {
        const call = turns.system.call();
        const body = ask('go', { ...tools, [field]: STATE_ID });
        await expect(collect(turns.system.turn(body, turns.mini, call))).rejects.toMatchObject({ code: 'NOT_FOUND' });
        expect(turns.system.ledger.findRelease(call.requestId)).toMatchObject({
          facts: { success: false, errorCode: 'NOT_FOUND' },
        });
      }
      expect(turns.provider.requests).toHaveLength(0);
    },
  );
});

describe('the image tool', () => {
  const image = { type: 'image_generation', image_generation: { model: 'sandbox/image-1' } };
  const draw = { name: 'image_generation', args: { prompt: 'a cat' } };

  it('generates one image as a separate request, and sends its bytes to the client only', async () => {
    turns.plays({ calls: [draw] }, { text: 'There.' });
    const call = turns.system.call();
    const [frame] = await collect(turns.system.turn(ask('go', { tools: [image] }), turns.mini, call));
    const answer = JSON.parse(decodeEvents(frame!)[0]!);
    expect(answer.tool_results).toMatchObject([
      {
        name: 'image_generation',
        output: {
          model: 'sandbox/image-1',
          data: [{ b64_json: expect.any(String), mime_type: 'image/png' }],
          usage: { images: 1 },
        },
      },
    ]);
    const emitted = turns.asked(1).messages.at(-1)!;
    expect(emitted).toMatchObject({ role: 'tool', content: expect.stringContaining('image/png') });
    expect(emitted.content).not.toContain('b64_json');
    const admitted = turns.system.ledger.admitted.at(-1)!;
    // Part of the turn, so that it is superseded with the turn.
    expect(admitted).toMatchObject({ model: 'sandbox/image-1', images: 1, partOfHoldId: call.requestId });
    expect(admitted.holdId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(turns.system.ledger.findSettlement(admitted.holdId)).toMatchObject({
      usage: { images: 1 },
      facts: { success: true },
    });
    expect(turns.system.ledger.findSettlement(call.requestId).usage?.images).toBe(0);
  });

  it('rejects an image call combined with other calls, and runs the others', async () => {
    turns.plays({ calls: [draw, write('a')] }, { text: 'ok' });
    const body = ask('go', { tools: [image, ...declare('kv_write').tools] });
    expect((await turns.answer(body)).tool_results).toMatchObject([
      { output: { error: { code: 'INVALID_INPUT', message: expect.stringContaining('combined') } } },
      { output: { ok: true } },
    ]);
  });

  it.each([
    ['streamed', { tools: [image] }, true, 'VALIDATION_ERROR', 'streaming is not supported'],
    [
      'of an unknown model',
      { tools: [{ ...image, image_generation: { model: 'nope' } }] },
      false,
      'VALIDATION_ERROR',
      'nope',
    ],
    [
      'of a model without images',
      { tools: [{ ...image, image_generation: { model: 'sandbox/echo-1' } }] },
      false,
      'MODEL_CAPABILITY_UNSUPPORTED',
      'sandbox/echo-1',
    ],
  ])('rejects the image tool before any provider is asked: %s', async (_how, body, stream, code, message) => {
    await expect(collect(turns.system.turn(ask('go', body), { ...turns.mini, stream }))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    expect(turns.provider.requests).toHaveLength(0);
  });

  it('returns a refused image to the model as a result', async () => {
    const answers = chatScript({ calls: [draw] }, { text: 'Sorry.' });
    turns.provider.handler = (res, received, req) => {
      turns.system.ledger.refusal = turns.provider.requests.length === 1 ? 'TIER_ALLOWANCE_EXHAUSTED' : undefined;
      answers(res, received, req);
    };
    turns.system.peers.hooks.set('post_tool_use', () => {
      turns.system.ledger.refusal = undefined;
      return { decision: 1 };
    });
    const { tool_results } = await turns.answer(ask('go', { tools: [image] }));
    expect(tool_results[0].output).toMatchObject({ error: { code: 'TIER_ALLOWANCE_EXHAUSTED' } });
  });

  it("releases the hold when Admit's answer is lost and reports the failure to the model", async () => {
    turns.plays({ calls: [draw] }, { text: 'Sorry.' });
    turns.system.ledger.losesAdmissions = true;
    const { tool_results } = await turns.answer(ask('go', { tools: [image] }));
    turns.system.ledger.losesAdmissions = false;
    expect(tool_results[0].output).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
    const { holdId } = turns.system.ledger.admitted.at(-1)!;
    expect(turns.system.ledger.findRelease(holdId)).toMatchObject({
      holdIds: [holdId],
      facts: { errorCode: 'CANCELED' },
    });
  });

  it('rejects url without storage', async () => {
    turns.plays(
      { calls: [{ name: 'image_generation', args: { prompt: 'a cat', response_format: 'url' } }] },
      { text: 'ok' },
    );
    const { tool_results } = await turns.answer(ask('go', { tools: [image] }));
    expect(tool_results[0].output).toMatchObject({ error: { message: expect.stringContaining('storage') } });
  });
});
