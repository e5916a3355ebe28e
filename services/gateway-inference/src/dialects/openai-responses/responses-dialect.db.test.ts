import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CompatibleResponsesBody, expandedResponsesBody } from '@tollgate/api/compatible';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import { InferenceSystem } from '../../testing/inference-system.js';
import type { StreamEvent, StreamEvents } from '../dialect.js';
import { responsesDialect } from './responses-dialect.js';

let system: InferenceSystem;

beforeAll(async () => {
  system = await InferenceSystem.start();
});

afterAll(() => system.stop());

const responses = { dialect: Dialect.OPENAI_RESPONSES };
const clock = { type: 'function', name: 'clock', parameters: { type: 'object' }, strict: null };
const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' };
const info: TurnInfo = { requestId: 'r1', model: 'm', provider: 'sandbox', startedAt: 1_000 };
const usage: TokenUsage = {
  inputTokens: 3,
  outputTokens: 2,
  cacheReadInputTokens: 1,
  cacheWriteInputTokens: 1,
  reasoningTokens: 1,
};

function body(more: object): CompatibleResponsesBody {
  return expandedResponsesBody.parse({ model: 'echo-1', input: 'hi', ...more });
}

function buildAnswer(more: Partial<ModelAnswer> = {}): ModelAnswer {
  return { responseId: '', stopReason: 'stop', text: '', toolCalls: [], usage, ...more };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look inside
function parsed(...events: StreamEvents[]): any[] {
  return events
    .flatMap((each) => (each === undefined ? [] : (each as StreamEvent | StreamEvent[])))
    .map(({ event, data }) => {
      const value = JSON.parse(data);
      expect(value.type).toBe(event);
      return value;
    });
}

describe('answers in the responses dialect', () => {
  it('has the form of the dialect', async () => {
    const requestId = 'a0000000-0000-4000-8000-000000000003';
    const asked = { model: 'echo-1', input: 'hi', metadata: { a: 'b' }, temperature: 0.5 };
    expect(await system.answer(asked, { ...responses, requestId })).toMatchObject({
      id: `resp_${requestId}`,
      object: 'response',
      status: 'completed',
      model: 'echo-1',
      error: null,
      incomplete_details: null,
      metadata: { a: 'b' },
      temperature: 0.5,
      store: false,
      output: [
        {
          id: `msg_${requestId}_0`,
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Echo: hi', annotations: [], logprobs: [] }],
        },
      ],
      usage: {
        input_tokens: 5,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 2,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 7,
      },
    });
  });

  it('reports a cut answer as incomplete, with the reason', async () => {
    const cut = await system.answer({ input: 'write 50 words' }, { ...responses, maxOutputTokens: 3 });
    expect(cut).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
    });
  });

  it('calls functions and accepts their output', async () => {
    const asked = { input: 'call tool clock', tools: [clock] };
    const { output } = await system.answer(asked, responses);
    expect(output).toMatchObject([
      { type: 'function_call', name: 'clock', arguments: '{}', call_id: expect.stringMatching(/^call_/) },
    ]);
    const input = [
      { role: 'user', content: 'call tool clock' },
      { type: 'reasoning', id: 'rs_1', summary: [] },
      output[0],
      { type: 'function_call_output', call_id: output[0].call_id, output: 'noon' },
    ];
    const { output: second } = await system.answer({ ...asked, input }, responses);
    expect(second[0].content[0].text).toBe('clock returned: noon');
  });

  it('reads instructions, images and files', async () => {
    const pdf = { type: 'input_file', file_data: 'data:application/pdf;base64,AAAA', filename: 'a.pdf' };
    const content = [{ type: 'input_text', text: 'see' }, image];
    const answer = await system.answer({ instructions: 'be short', input: [{ role: 'user', content }] }, responses);
    expect(answer.output[0].content[0].text).toBe('Echo: see [1 file]');
    const refused = system.answer({ input: [{ role: 'user', content: [pdf] }] }, responses);
    await expect(refused).rejects.toMatchObject({ code: 'MODEL_CAPABILITY_UNSUPPORTED' });
  });

  it('returns JSON if requested, and rejects a map-style schema by its path', async () => {
    const schema = { type: 'object', properties: { title: { type: 'string' } } };
    const format = { type: 'json_schema', name: 'd', schema };
    const answer = await system.answer({ input: 'a title', text: { format } }, responses);
    expect(JSON.parse(answer.output[0].content[0].text)).toEqual({ title: expect.any(String) });
    const map = { type: 'json_schema', name: 'd', schema: { additionalProperties: schema } };
    await expect(system.answer({ input: 'x', text: { format: map } }, responses)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('text.format.schema.additionalProperties'),
    });
  });

  it('repeats the tools with all their fields', async () => {
    const tools = [{ type: 'function', name: 'f' }];
    expect((await system.answer({ input: 'hi', tools }, responses)).tools).toEqual([
      { type: 'function', name: 'f', parameters: null, strict: null },
    ]);
  });

  it('reports that there are no log probabilities', async () => {
    const asked = (more: object) => system.answer({ input: 'hi', ...more }, responses);
    for (const more of [{ include: ['message.output_text.logprobs'] }, { top_logprobs: 2 }]) {
      await expect(asked(more)).rejects.toMatchObject({ code: 'MODEL_CAPABILITY_UNSUPPORTED' });
    }
    expect((await asked({ include: ['reasoning.encrypted_content'], top_logprobs: 0 })).status).toBe('completed');
  });

  it('accepts an image by its URL', async () => {
    const byAddress = { ...image, image_url: 'https://example.com/a.png' };
    const { output } = await system.answer({ input: [{ role: 'user', content: [byAddress] }] }, responses);
    expect(output[0].content[0].text).toBe('Echo:  [1 file]');
  });
});

describe('streams in the responses dialect', () => {
  it('numbers every event and ends with the whole response', async () => {
    const events = (await system.events({ input: 'hi' }, responses)).map((data) => JSON.parse(data));
    expect(events.map(({ sequence_number: n }) => n)).toEqual(events.map((_, index) => index));
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.at(-1).response).toMatchObject({
      status: 'completed',
      output: [{ content: [{ text: 'Echo: hi' }] }],
      usage: { total_tokens: 7 },
    });
    expect(events.at(-1).response.id).toBe(events[0].response.id);
  });

  it('ends a cut stream as incomplete', async () => {
    const events = await system.events({ input: 'write 50 words' }, { ...responses, maxOutputTokens: 3 });
    expect(JSON.parse(events.at(-1)!)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    });
  });

  it('writes text and several calls as separate items, in any order of their pieces', () => {
    const writer = responsesDialect.openStream(info, body({}), () => 0);
    const events = parsed(
      writer.start(),
      writer.text('so'),
      writer.toolCall(0, 'c0', 'a'),
      writer.toolArguments(0, '{"x"'),
      writer.toolCall(1, 'c1', 'b'),
      writer.toolArguments(1, '{}'),
      writer.toolArguments(0, ':1}'),
      writer.text('more'),
      writer.end(buildAnswer({ stopReason: 'tool_use' }), usage, []),
    );
    expect(events.at(-1).response.output).toMatchObject([
      { type: 'message', content: [{ text: 'so' }] },
      { type: 'function_call', call_id: 'c0', name: 'a', arguments: '{"x":1}', status: 'completed' },
      { type: 'function_call', call_id: 'c1', name: 'b', arguments: '{}', status: 'completed' },
      { type: 'message', content: [{ text: 'more' }] },
    ]);
    const places = (type: string) => events.filter((event) => event.type === type).map((event) => event.output_index);
    expect(places('response.output_item.added')).toEqual([0, 1, 2, 3]);
    expect(places('response.output_item.done').sort()).toEqual([0, 1, 2, 3]);
    expect(places('response.function_call_arguments.delta')).toEqual([1, 2, 1]);
  });

  it('emits valid JSON for any request id of the client', () => {
    const writer = responsesDialect.openStream({ ...info, requestId: '"\\' }, body({}), () => 0);
    const events = parsed(writer.start(), writer.text('so'), writer.text('on'), writer.end(buildAnswer(), usage, []));
    expect(new Set(events.map(({ item_id: id }) => id).filter(Boolean))).toEqual(new Set(['msg_"\\_0']));
  });

  it('emits an empty text for an empty answer', () => {
    const writer = responsesDialect.openStream(info, body({}), () => 0);
    const events = parsed(writer.start(), writer.end(buildAnswer(), usage, []));
    expect(events.at(-1).response.output).toMatchObject([{ type: 'message', content: [{ text: '' }] }]);
  });

  it('reports a refusal, and text before it as filtered', () => {
    const refused = buildAnswer({ stopReason: 'refusal' });
    const silent = responsesDialect.openStream(info, body({}), () => 0);
    const content = [{ type: 'refusal', refusal: expect.stringMatching(/./) }];
    expect(parsed(silent.start(), silent.end(refused, usage, [])).at(-1).response).toMatchObject({
      status: 'completed',
      output: [{ content }],
    });
    expect(JSON.parse(responsesDialect.writeAnswer(info, refused, usage, body({}))).output).toMatchObject([
      { content },
    ]);
    const talking = responsesDialect.openStream(info, body({}), () => 0);
    const events = parsed(talking.start(), talking.text('so'), talking.end(refused, usage, []));
    expect(events.at(-1).response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
      output: [{ status: 'incomplete', content: [{ text: 'so' }] }],
    });
  });

  it('ends a broken stream as failed, with the delivered output and an error', () => {
    const writer = responsesDialect.openStream(info, body({}), () => 0);
    parsed(writer.start(), writer.text('so'));
    const [failed, error] = parsed(writer.error(new AppError('PROVIDER_ERROR', 'left', { upstreamStatus: 429 })));
    expect(failed).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'left' } },
    });
    expect(error).toMatchObject({ type: 'error', message: 'left', error: { type: 'rate_limit_error' } });
    expect(error.sequence_number).toBe(failed.sequence_number + 1);
  });
});

describe('calls of tools other than functions', () => {
  const agents = { type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'wait' }] };
  const asked = body({
    tools: [{ type: 'custom', name: 'apply_patch' }, agents, { type: 'local_shell' }],
  });
  const calls = [
    { id: 'c1', name: 'apply_patch', arguments: '{"input":"*** Begin"}' },
    { id: 'c2', name: 'agents__wait', arguments: '{"ms":1}' },
    { id: 'c3', name: 'local_shell', arguments: '{"command":["ls"],"timeout_ms":5}' },
    { id: 'c4', name: 'apply_patch', arguments: 'not JSON' },
  ];
  const expected = [
    { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin' },
    { type: 'function_call', call_id: 'c2', name: 'wait', namespace: 'agents', arguments: '{"ms":1}' },
    { type: 'local_shell_call', call_id: 'c3', action: { type: 'exec', command: ['ls'], env: {}, timeout_ms: 5 } },
    { type: 'custom_tool_call', call_id: 'c4', name: 'apply_patch', input: 'not JSON' },
  ];

  it('writes them in the form in which the client declared the tool', () => {
    const answer = buildAnswer({ stopReason: 'tool_use', toolCalls: calls });
    expect(JSON.parse(responsesDialect.writeAnswer(info, answer, usage, asked)).output).toMatchObject(expected);
  });

  it('streams the items of a plain answer, with the input of custom tools as one piece', () => {
    const writer = responsesDialect.openStream(info, asked, () => 0);
    const events = parsed(
      writer.start(),
      ...calls.flatMap((call, i) => [writer.toolCall(i, call.id, call.name), writer.toolArguments(i, call.arguments)]),
      writer.end(buildAnswer({ stopReason: 'tool_use' }), usage, []),
    );
    const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
    expect(done).toMatchObject(expected);
    expect(events.at(-1).response.output).toEqual(done);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, i) => i));
    const inputs = events.filter(({ type }) => type.startsWith('response.custom_tool_call_input.'));
    expect(inputs.map(({ delta, input }) => delta ?? input)).toEqual([
      '*** Begin',
      '*** Begin',
      'not JSON',
      'not JSON',
    ]);
  });
});
