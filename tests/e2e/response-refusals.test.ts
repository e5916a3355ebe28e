// Every invalid request in SPEC "Model responses" and "Images": its status, its code, the named field and the
// message; and that no account was charged.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { functionTool, type Json, userMessage } from '@tollgate/testkit';
import { nativeErrorFaults } from '../system/native-error.js';
import { SANDBOX_MODEL, type TestCustomer } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const IMAGES = 'sandbox/image-1';
const ID = 'a0000000-0000-4000-8000-000000000001';

const system = useSystem();
const project = useProject(system);
let customer: TestCustomer;

beforeAll(async () => {
  customer = await project.customerOn('free');
});

const user = userMessage('hello');
const message = (more: Json) => ({ input: [{ ...user, ...more }] });
const part = (content: Json) => message({ content: [content] });
const file = (more: Json, aside: Json = {}) =>
  part({ type: 'file', file: { data_base64: 'AAAA', mime_type: 'image/png', ...more }, ...aside });
const called = (call: Json) => ({ input: [{ type: 'message', role: 'assistant', tool_calls: [call] }] });
const format = (json_schema: Json) => ({ output_format: { type: 'json_schema', json_schema } });
const image = (model: string) => ({ type: 'image_generation', image_generation: { model } });
const map = { type: 'object', additionalProperties: { type: 'string' } };
const inMap = { type: 'object', properties: { list: { type: 'array', items: map } } };
const SCHEMA = 'output_format.json_schema.schema';

/** The invalid part, the named field, and the message. */
const invalid: [body: Json, field: string, message: string | RegExp][] = [
  [{ input: undefined }, 'input', 'input: is required'],
  [{ input: 'hello' }, 'input', /^input: .*array/],
  [{ input: [] }, 'input', /^input: .*1/],
  [message({ type: undefined }), 'input[0].type', /"message"/],
  [message({ type: 'text' }), 'input[0].type', /"message"/],
  [message({ role: undefined }), 'input[0].role', /"system"\|"user"\|"assistant"\|"tool"/],
  [message({ role: 'developer' }), 'input[0].role', /"system"\|"user"\|"assistant"\|"tool"/],
  [message({ content: undefined }), 'input[0].content', 'input[0].content: is required'],
  [message({ content: 'hello' }), 'input[0].content', /array/],
  [message({ role: 'tool' }), 'input[0].tool_call_id', 'input[0].tool_call_id: is required on tool messages'],
  [message({ tool_call_id: 'c' }), 'input[0].tool_call_id', /only tool messages carry tool_call_id/],
  [
    message({ tool_calls: [{ id: 'c', type: 'web' }] }),
    'input[0].tool_calls',
    /only assistant messages carry tool_calls/,
  ],
  [called({ type: 'web' }), 'input[0].tool_calls[0].id', /is required/],
  [called({ id: 'c', type: 'browser' }), 'input[0].tool_calls[0].type', /"function"/],
  [called({ id: 'c', type: 'function' }), 'input[0].tool_calls[0].function', /is required for a function call/],
  [
    called({ id: 'c', type: 'function', function: { name: 'f', arguments: {} } }),
    'input[0].tool_calls[0].function.arguments',
    /string/,
  ],
  [part({ type: 'image' }), 'input[0].content[0].type', /'text' \| 'file'/],
  [part({ type: 'text' }), 'input[0].content[0].text', /is required/],
  [part({ type: 'text', text: 'x', logprobs: {} }), 'input[0].content[0].logprobs', /array/],
  [file({ url: 'x' }), 'input[0].content[0].file', /"url"/],
  [file({}, { detail: 'low' }), 'input[0].content[0]', /"detail"/],
  [file({ data_base64: undefined }), 'input[0].content[0].file.data_base64', /is required/],
  [file({ data_base64: 'A?==' }), 'input[0].content[0].file.data_base64', /must be base64/],
  [file({ mime_type: undefined }), 'input[0].content[0].file.mime_type', /is required/],
  [file({ mime_type: 'png' }), 'input[0].content[0].file.mime_type', /media type/],
  [file({ size_bytes: 1.5 }), 'input[0].content[0].file.size_bytes', /int/],
  [{ provider: 'acme' }, 'provider', /"openai"\|"anthropic"\|"google-ai-studio"\|"xai"/],
  [{ provider: 'openai' }, 'provider', `unknown model: ${SANDBOX_MODEL} at provider openai`],
  [{ output_format: { type: 'xml' } }, 'output_format.type', /"text"\|"json_schema"\|"json_object"/],
  [{ output_format: { type: 'json_schema' } }, 'output_format.json_schema', /is required for type json_schema/],
  [format({ schema: {} }), 'output_format.json_schema.name', /is required/],
  [format({ name: 'a b', schema: {} }), 'output_format.json_schema.name', /letters, digits, dashes/],
  [format({ name: 'd' }), SCHEMA, /is required/],
  [format({ name: 'd', schema: map }), `${SCHEMA}.additionalProperties`, /map-style/],
  [format({ name: 'd', schema: inMap }), `${SCHEMA}.properties.list.items.additionalProperties`, /map-style/],
  [{ max_output_tokens: 0 }, 'max_output_tokens', />=1/],
  [{ max_output_tokens: 1.5 }, 'max_output_tokens', /int/],
  [{ temperature: -0.1 }, 'temperature', />=0/],
  [{ temperature: 2.1 }, 'temperature', /<=2/],
  [{ stop: Array(9).fill('x') }, 'stop', /<=8/],
  [{ stop: ['x'.repeat(129)] }, 'stop[0]', /<=128/],
  [{ stop: 'x' }, 'stop', /array/],
  [{ tools: [{ type: 'browser' }] }, 'tools[0].type', /"function"\|"web"\|"x_search"/],
  [{ tools: [{ type: 'function' }] }, 'tools[0].function', /is required for a function tool/],
  [{ tools: [{ type: 'function', function: {} }] }, 'tools[0].function.name', /is required/],
  [{ tools: [functionTool('a b')] }, 'tools[0].function.name', /letters, digits, dots/],
  [{ tools: [functionTool('a.b'), functionTool('a_b')] }, 'tools[1].function.name', /declared twice: a_b/],
  [{ tools: [image(IMAGES), image(IMAGES)] }, 'tools[1]', /at most one image_generation tool/],
  [{ tools: [{ type: 'image_generation' }] }, 'tools[0].image_generation', /is required/],
  [{ tools: [image('nope')] }, 'tools.image_generation.model', 'unknown model: nope'],
  [{ tools: [functionTool('image.generation')] }, 'tools[0].function.name', /type image_generation/],
  [{ tools: [functionTool('f')], tool_choice: 'auto' }, 'tool_choice', /object/],
  [{ tools: [functionTool('f')], tool_choice: { type: 'any' } }, 'tool_choice.type', /"auto"\|"required"\|"none"/],
  [
    { tools: [functionTool('f')], tool_choice: { type: 'auto', function: 'g' } },
    'tool_choice.function',
    /no declared function tool: g/,
  ],
  [{ tool_choice: { type: 'required' } }, 'tool_choice', /required needs at least one tool/],
  [{ state_id: 'x' }, 'state_id', /UUID/],
  [{ session_id: 'x' }, 'session_id', /UUID/],
  [{ state_id: ID, session_id: ID }, 'session_id', /cannot be combined/],
  [{ reasoning_effort: 'max' }, 'reasoning_effort', /"none"\|"low"\|"medium"\|"high"/],
];

/** Requests that the contract allows and this model does not support. */
const unable: [body: Json, message: string][] = [
  [{ model: IMAGES }, `model ${IMAGES} lacks the capability text`],
  [{ model: 'sandbox/embed-1' }, 'model sandbox/embed-1 lacks the capability text'],
  [file({ mime_type: 'application/pdf' }), `model ${SANDBOX_MODEL} lacks the capability document`],
  [file({ mime_type: 'audio/wav' }), `model ${SANDBOX_MODEL} lacks the capability audio`],
  [{ tools: [{ type: 'web' }] }, `model ${SANDBOX_MODEL} lacks the capability web_search`],
  [{ tools: [{ type: 'code_execution' }] }, `model ${SANDBOX_MODEL} lacks the capability code_execution`],
  [{ tools: [{ type: 'x_search' }] }, `model ${SANDBOX_MODEL} is not served by xai`],
  [{ tools: [image(SANDBOX_MODEL)] }, `model ${SANDBOX_MODEL} lacks the capability image_generation`],
];

describe('POST /responses', () => {
  const ask = (body: Json, headers: Record<string, string> = {}) =>
    project.api.post('/responses', { model: SANDBOX_MODEL, input: [user], ...body }, headers);

  it.each(invalid)('rejects %j with 400 VALIDATION_ERROR, naming %s', async (body, field, message) => {
    const answer = await ask(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.fields.map((each: Json) => each.field)).toContain(field);
    expect(answer.body.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    expect(nativeErrorFaults(answer)).toEqual([]);
  });

  it.each(unable)('rejects %j with 400 MODEL_CAPABILITY_UNSUPPORTED: %s', async (body, message) => {
    const answer = await ask(body);
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([
      400,
      'MODEL_CAPABILITY_UNSUPPORTED',
      message,
    ]);
    expect(nativeErrorFaults(answer)).toEqual([]);
  });

  it.each([
    [{ model: 'no/such-model' }, 'unknown model: no/such-model'],
    [{ model: undefined }, 'model is required'],
  ])('rejects %j with 400 INVALID_INPUT: %s', async (body, message) => {
    const answer = await ask(body);
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([400, 'INVALID_INPUT', message]);
    expect(nativeErrorFaults(answer)).toEqual([]);
  });

  it.each(['application/x-ndjson', 'text/event-stream'])(
    'refuses to stream with an image tool (%s)',
    async (accept) => {
      const answer = await ask({ tools: [image(IMAGES)] }, { accept });
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body.message).toBe('streaming is not supported with an image_generation tool');
    },
  );
});

describe('POST /images/generate', () => {
  it.each<[Json, string | RegExp]>([
    [{ prompt: 'x' }, 'model is required'],
    [{ model: IMAGES }, 'prompt: is required'],
    [{ model: IMAGES, prompt: '' }, /^prompt: /],
    [{ model: IMAGES, prompt: 'x', response_format: 'png' }, /"url"\|"b64_json"/],
    [{ model: IMAGES, prompt: 'x', n: 11 }, /^n: /],
    [{ model: 'nope', prompt: 'x' }, 'unknown model: nope'],
    [{ model: SANDBOX_MODEL, prompt: 'x' }, `${SANDBOX_MODEL} does not generate images`],
    [{ model: IMAGES, prompt: 'x' }, /requires image storage/],
  ])('rejects %j with 400 invalid_input: %s', async (body, message) => {
    const answer = await project.api.post('/images/generate', body);
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: { code: 'invalid_input', message: typeof message === 'string' ? message : expect.any(String) } },
    ]);
    expect(answer.body.error.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });

  it('rejects an image request of a customer whose default model writes text', async () => {
    const { status, body } = await customer.api.post('/images/generate', { prompt: 'x' });
    const message = `${SANDBOX_MODEL} does not generate images`;
    expect([status, body]).toEqual([400, { error: { code: 'invalid_input', message } }]);
  });
});

it('charges nothing and leaves nothing reserved', async () => {
  const { body } = await project.owner.get('/account/usage');
  expect(body.usage.filter((row: Json) => row.provider_microcents > 0)).toEqual([]);
  expect(await project.verify()).toMatchObject({ differences: [], open_holds: 0, unreconciled_microcents: 0 });
});
