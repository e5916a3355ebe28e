import { describe, expect, it } from '@jest/globals';
import { fixture } from '../../../testing/fixtures.js';
import { allCuts, play, type Recorder } from '../../../testing/stream-player.js';
import type { ModelCall } from '../../contract/provider.js';
import { ForwardedResponsesWire, forwardedResponsesRequest } from './forwarded.js';

const wire = new ForwardedResponsesWire('openai', 'our/name');

function playFixture(name: string, cuts: number[] = []): Recorder {
  return play(wire, Buffer.from(fixture('openai', name)), cuts);
}

/** The events of a fixture under our model name. */
function expectedEvents(name: string): { name: string; data: string }[] {
  return fixture('openai', name)
    .split('\n\n')
    .map((block) => /^event: (.*)\ndata: (.*)$/m.exec(block))
    .filter((match) => match !== null)
    .map(([, event, data]) => ({
      name: event!,
      data: data!.replace(/("response":\{.*?"model":)"[^"]+"/, '$1"our/name"'),
    }));
}

describe('a forwarded stream of a response', () => {
  it.each(['response-tools', 'response-search'])('passes %s through byte by byte except for the model name', (name) => {
    const { forwarded, answer } = playFixture(`${name}.chunks.txt`);
    expect(forwarded.map(({ data, name: event }) => ({ name: event, data }))).toEqual(
      expectedEvents(`${name}.chunks.txt`),
    );
    expect(forwarded.map(({ isLast }) => isLast).lastIndexOf(false)).toBe(forwarded.length - 2);
    const text = fixture('openai', `${name}.json`);
    const plain = wire.readAnswer(JSON.parse(text), text);
    expect(answer).toMatchObject({ usage: plain?.usage, stopReason: plain?.stopReason });
  });

  it('reads the same wherever the bytes are cut', () => {
    const bytes = Buffer.from(fixture('openai', 'response-tools.chunks.txt'));
    const whole = JSON.stringify(playFixture('response-tools.chunks.txt'));
    for (const cuts of allCuts(bytes, 11)) {
      expect(JSON.stringify(playFixture('response-tools.chunks.txt', cuts))).toBe(whole);
    }
  });

  it('reports a failure as ours, and does not forward the error of the provider', () => {
    for (const name of ['response-failed', 'response-error', 'response-abrupt-end']) {
      const { forwarded, failure, answer } = playFixture(`${name}.chunks.txt`);
      expect(failure?.code).toBe('PROVIDER_ERROR');
      expect(answer).toBeUndefined();
      expect(forwarded.some(({ isLast, name: event }) => isLast || /failed|error/.test(event!))).toBe(false);
    }
  });

  it('emits no event when it fails before its first item', () => {
    const [created] = fixture('openai', 'response-failed.chunks.txt').split('\n\n');
    const failed = 'data: {"type":"response.failed","response":{"error":{"code":"server_error","message":"x"}}}';
    const { forwarded, failure } = play(wire, Buffer.from(`${created}\n\n${failed}\n\n`));
    expect([forwarded, failure?.code]).toEqual([[], 'PROVIDER_ERROR']);
  });
});

describe('a forwarded plain response', () => {
  it.each(['response-tools', 'response-search', 'response-refusal', 'response-incomplete'])(
    'forwards %s unchanged except for the model name',
    (name) => {
      const text = fixture('openai', `${name}.json`);
      const { model, ...rest } = JSON.parse(text);
      const answer = wire.readAnswer({ model, ...rest }, text);
      expect(JSON.parse(Buffer.from(answer!.forwarded!).toString())).toEqual({ model: 'our/name', ...rest });
    },
  );

  it('rejects a failed response', () => {
    const text = fixture('openai', 'response-failed.json');
    expect(wire.readAnswer(JSON.parse(text), text)).toBeUndefined();
  });
});

describe('a forwarded request', () => {
  const call = { upstreamModel: 'gpt-x', maxOutputTokens: 30 } as ModelCall;

  it('keeps the body of the client with our model and the bound of the hold, and is never stored', () => {
    const client = { model: 'our/name', input: 'hi', stream: true, prompt_cache_key: 'k', vendor_field: { a: [null] } };
    expect(forwardedResponsesRequest(call, client)).toEqual({
      ...client,
      model: 'gpt-x',
      max_output_tokens: 30,
      store: false,
    });
  });

  it('sends complete reasoning, and none that the vendor would have to store', () => {
    const sealed = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' };
    const message = { role: 'user', content: 'hi' };
    const input = [{ type: 'reasoning', id: 'rs_0', summary: [] }, sealed, message];
    expect(forwardedResponsesRequest(call, { input }).input).toEqual([sealed, message]);
  });

  it('omits references to what is stored here, and asks for reasoning that can be sent back', () => {
    const client = { input: 'hi', previous_response_id: 'resp_1', include: ['message.output_text.logprobs'] };
    const sealing = { ...call, forward: { sealsReasoning: true } } as ModelCall;
    expect(forwardedResponsesRequest(call, client)).toMatchObject({ include: client.include });
    expect(forwardedResponsesRequest(call, client)).not.toHaveProperty('previous_response_id');
    expect(forwardedResponsesRequest(sealing, client).include).toEqual([
      'message.output_text.logprobs',
      'reasoning.encrypted_content',
    ]);
    expect(forwardedResponsesRequest(sealing, { input: 'hi' }).include).toEqual(['reasoning.encrypted_content']);
  });

  it.each([
    [{}, 5],
    [{ max_tool_calls: 2 }, 2],
    [{ max_tool_calls: 50 }, 5],
  ])('bounds searches by what the hold covers: %j becomes %i', (asked, bound) => {
    const client = { ...asked, input: 'hi' };
    const search = { type: 'web_search' };
    const added = { type: 'additional_tools', role: 'developer', tools: [search] };
    for (const body of [
      { ...client, tools: [search] },
      { ...client, input: [added] },
    ]) {
      expect(forwardedResponsesRequest(call, body).max_tool_calls).toBe(bound);
    }
    expect(forwardedResponsesRequest(call, client)).toMatchObject(client);
  });
});

describe('calls of tools other than functions in a forwarded stream', () => {
  const events = (...all: object[]) => Buffer.from(all.map((each) => `data: ${JSON.stringify(each)}\n\n`).join(''));
  const completed = { type: 'response.completed', response: { id: 'r', model: 'm', status: 'completed' } };

  it('reads the input of a custom tool, and the action of a shell call without deltas, as output', () => {
    const custom = { type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: 'abc' };
    const shell = { type: 'local_shell_call', call_id: 'd', action: { type: 'exec', command: ['ls'] } };
    const { text, answer } = play(
      wire,
      events(
        { type: 'response.output_item.added', output_index: 0, item: { ...custom, input: '' } },
        { type: 'response.custom_tool_call_input.delta', output_index: 0, delta: 'abc' },
        { type: 'response.output_item.done', output_index: 0, item: custom },
        { type: 'response.output_item.done', output_index: 1, item: shell },
        completed,
      ),
    );
    expect(text).toBe(`apply_patchabc${JSON.stringify(shell.action)}`);
    expect(answer?.stopReason).toBe('tool_use');
  });
});
