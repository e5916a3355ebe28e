import { describe, expect, it } from '@jest/globals';
import { findVendorRefusal } from './find-refusal.js';

type Json = Record<string, unknown>;

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Returns the message with which a vendor refuses a body. */
function refusal(path: string, body: Json): string | undefined {
  const answer = findVendorRefusal(path, body);
  return answer && (answer.body.error as { message: string }).message;
}

const chat = (more: Json): string | undefined =>
  refusal('/v1/chat/completions', { model: 'gpt-4.1-mini', messages: [{ role: 'user', content: 'hi' }], ...more });
const responses = (more: Json): string | undefined =>
  refusal('/v1/responses', { model: 'gpt-6-luna', input: 'hi', ...more });
const messages = (more: Json): string | undefined =>
  refusal('/v1/messages', {
    model: 'claude-haiku-4-5',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'hi' }],
    ...more,
  });
const generate = (more: Json): string | undefined =>
  refusal('/v1beta/models/gemini-3.8-flash:generateContent', {
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    ...more,
  });

const chatTool = (name: string, parameters?: Json): Json => ({
  tools: [{ type: 'function', function: { name, ...(parameters && { parameters }) } }],
});
const claudeTool = (input_schema: Json, name = 'look'): Json => ({ tools: [{ name, input_schema }] });
const geminiTool = (parametersJsonSchema: Json, name = 'look'): Json => ({
  tools: [{ functionDeclarations: [{ name, parametersJsonSchema }] }],
});
const schema = { type: 'object', properties: { a: { type: 'string' } } };
const chatCall = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
const user = { role: 'user', content: 'hi' };

describe('OpenAI chat completions', () => {
  it.each<[string, Json]>([
    ['a plain request', {}],
    ['a function without parameters', chatTool('look')],
    ['a function with parameters', chatTool('look', schema)],
    [
      'a call and its result',
      {
        messages: [
          user,
          { role: 'assistant', tool_calls: [chatCall] },
          { role: 'tool', tool_call_id: 'c1', content: '' },
        ],
      },
    ],
    ['the default of a setting that a reasoning model lacks', { model: 'gpt-6-luna', temperature: 1, top_p: 1 }],
    ['sampling without reasoning', { model: 'gpt-5.5', temperature: 0.2, reasoning_effort: 'none' }],
  ])('accepts %s', (_, body) => {
    expect(chat(body)).toBeUndefined();
  });

  it.each<[string, Json, RegExp]>([
    ['no messages', { messages: [] }, /empty array/],
    ['a long function name', chatTool('a'.repeat(65)), /string too long/],
    ['a function name with a dot', chatTool('kv.get'), /does not match pattern/],
    ['an object schema without properties', chatTool('look', { type: 'object' }), /object schema missing properties/],
    ['a schema without a type', chatTool('look', { properties: {} }), /got 'type: "None"'/],
    ['anyOf at the top', chatTool('look', { ...schema, anyOf: [{ required: ['a'] }] }), /not have 'oneOf'\/'anyOf'/],
    [
      'an array without items',
      chatTool('look', { type: 'object', properties: { a: { type: 'array' } } }),
      /array schema missing items/,
    ],
    [
      'a list of item schemas',
      chatTool('look', { type: 'object', properties: { a: { type: 'array', items: [{}] } } }),
      /is not of type 'object', 'boolean'/,
    ],
    ['no tools in a list', { tools: [] }, /empty array/],
    ['a choice without tools', { tool_choice: 'auto' }, /only allowed when 'tools'/],
    [
      'a choice of an unknown tool',
      { ...chatTool('look'), tool_choice: { type: 'function', function: { name: 'b' } } },
      /not found in 'tools'/,
    ],
    ['five stop sequences', { stop: ['1', '2', '3', '4', '5'] }, /maximum length 4/],
    ['a stop sequence for a reasoning model', { model: 'gpt-6-luna', stop: ['1'] }, /'stop' is not supported/],
    ['max_tokens for a reasoning model', { model: 'o3', max_tokens: 5 }, /Use 'max_completion_tokens'/],
    ['a temperature for a reasoning model', { model: 'gpt-6.1-sol', temperature: 0.2 }, /Only the default \(1\)/],
    ['top_p for a reasoning model', { model: 'gpt-5.5', top_p: 0.5 }, /'top_p' is not supported/],
    ['an effort for another model', { reasoning_effort: 'low' }, /Unrecognized request argument/],
    [
      'functions with an effort',
      { model: 'gpt-5.5', reasoning_effort: 'low', ...chatTool('look') },
      /use \/v1\/responses/,
    ],
    ['top_k', { top_k: 5 }, /Unknown parameter/],
    [
      'an assistant without content',
      { messages: [user, { role: 'assistant', content: null }, user] },
      /expected a string, got null/,
    ],
    [
      'an empty list of calls',
      { messages: [user, { role: 'assistant', content: 'a', tool_calls: [] }] },
      /tool_calls': empty array/,
    ],
    ['empty content parts', { messages: [{ role: 'user', content: [] }] }, /content': empty array/],
    [
      'a result without a call',
      { messages: [user, { role: 'tool', tool_call_id: 'c1', content: 'a' }] },
      /must be a response to a preceeding/,
    ],
    [
      'a message between call and result',
      {
        messages: [
          user,
          { role: 'assistant', tool_calls: [chatCall] },
          user,
          { role: 'tool', tool_call_id: 'c1', content: 'a' },
        ],
      },
      /must be followed by tool messages/,
    ],
    [
      'an image that is none',
      {
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,aGVsbG8=' } }] },
        ],
      },
      /unsupported image/,
    ],
    ['JSON without the word', { response_format: { type: 'json_object' } }, /must contain the word 'json'/],
    [
      'an open strict schema',
      { response_format: { type: 'json_schema', json_schema: { name: 'a', strict: true, schema } } },
      /additionalProperties/,
    ],
    ['stream options without a stream', { stream_options: { include_usage: true } }, /only allowed when 'stream'/],
  ])('refuses %s', (_, body, message) => {
    expect(chat(body)).toMatch(message);
  });

  it("answers in the vendor's form", () => {
    expect(findVendorRefusal('POST /chat/completions', { model: 'o3', messages: [user], max_tokens: 5 })).toEqual({
      status: 400,
      body: {
        error: {
          message:
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          type: 'invalid_request_error',
          param: 'max_tokens',
          code: 'unsupported_parameter',
        },
      },
    });
  });
});

describe('OpenAI responses', () => {
  const call = { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' };
  const output = { type: 'function_call_output', call_id: 'c1', output: 'a' };

  it.each<[string, Json]>([
    ['a plain request', {}],
    ['a message between a call and its result', { input: [user, call, user, output] }],
    ['JSON with the word', { instructions: 'Write JSON.', text: { format: { type: 'json_object' } } }],
  ])('accepts %s', (_, body) => {
    expect(responses(body)).toBeUndefined();
  });

  it.each<[string, Json, RegExp]>([
    ['a call without a result', { input: [user, call] }, /No tool output found/],
    ['a result without a call', { input: [user, output] }, /No tool call found/],
    ['fewer than 16 tokens', { max_output_tokens: 15 }, />= 16/],
    [
      'a function schema without properties',
      { tools: [{ type: 'function', name: 'a', parameters: { type: 'object' } }] },
      /missing properties/,
    ],
    ['a stop sequence', { model: 'gpt-4.1-mini', stop: ['a'] }, /Unknown parameter: 'stop'/],
    ['a temperature for a reasoning model', { temperature: 0 }, /Only the default/],
    ['JSON without the word', { text: { format: { type: 'json_object' } } }, /must contain the word 'json'/],
  ])('refuses %s', (_, body, message) => {
    expect(responses(body)).toMatch(message);
  });
});

describe('Anthropic messages', () => {
  const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] };
  const result = { type: 'tool_result', tool_use_id: 'c1', content: [] };
  const tools = claudeTool({ type: 'object' });
  const image = (media_type: string, data: string) => ({
    messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type, data } }] }],
  });
  const thinking = { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 2000 };

  it.each<[string, Json]>([
    ['a plain request', {}],
    ['an object schema without properties', tools],
    [
      'a call and its result',
      { ...tools, messages: [user, call, { role: 'user', content: [result, { type: 'text', text: 'b' }] }] },
    ],
    ['a PNG', image('image/png', png)],
    ['a prefill by an older model', { messages: [user, { role: 'assistant', content: 'a' }] }],
  ])('accepts %s', (_, body) => {
    expect(messages(body)).toBeUndefined();
  });

  it.each<[string, Json, RegExp]>([
    ['no messages', { messages: [] }, /at least one message/],
    ['an assistant who speaks first', { messages: [{ role: 'assistant', content: 'a' }] }, /first message must use/],
    ['an empty text', { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] }, /must be non-empty/],
    [
      'a text of white space',
      { messages: [{ role: 'user', content: [{ type: 'text', text: ' \n' }] }] },
      /non-whitespace text/,
    ],
    [
      'an empty message',
      { messages: [user, { role: 'assistant', content: [] }, user] },
      /all messages must have non-empty content/,
    ],
    [
      'a prefill that ends with a space',
      { messages: [user, { role: 'assistant', content: 'a ' }] },
      /trailing whitespace/,
    ],
    [
      'a prefill for a newer model',
      { model: 'claude-opus-5', messages: [user, { role: 'assistant', content: 'a' }] },
      /does not support assistant message prefill/,
    ],
    [
      'a result that comes later',
      { ...tools, messages: [user, call, { role: 'user', content: [{ type: 'text', text: 'b' }, result] }] },
      /without `tool_result` blocks immediately after/,
    ],
    [
      'a result without a call',
      { ...tools, messages: [{ role: 'user', content: [result] }] },
      /unexpected `tool_use_id`/,
    ],
    ['calls without tools', { messages: [user, call, { role: 'user', content: [result] }] }, /must define tools/],
    [
      'an id with a dot',
      {
        ...tools,
        messages: [user, { role: 'assistant', content: [{ type: 'tool_use', id: 'c.1', name: 'look', input: {} }] }],
      },
      /tool_use.id: String should match/,
    ],
    ['a tool name with a dot', claudeTool({ type: 'object' }, 'a.b'), /custom.name: String should match/],
    ['two tools of one name', { tools: [...(tools.tools as Json[]), ...(tools.tools as Json[])] }, /must be unique/],
    ['a schema without a type', claudeTool({ properties: {} }), /type: Field required/],
    ['oneOf at the top', claudeTool({ ...schema, oneOf: [{ required: ['a'] }] }), /does not support oneOf/],
    [
      'a property with a dollar sign',
      claudeTool({ type: 'object', properties: { $filter: {} } }),
      /Property keys should match/,
    ],
    [
      'a list of item schemas',
      claudeTool({ type: 'object', properties: { a: { type: 'array', items: [{}] } } }),
      /draft 2020-12/,
    ],
    ['a choice without tools', { tool_choice: { type: 'auto' } }, /only be specified while providing tools/],
    [
      'a forced tool for the newest models',
      { model: 'claude-opus-5-5', ...tools, tool_choice: { type: 'any' } },
      /not supported for this model/,
    ],
    [
      'a forced tool with thinking',
      { ...thinking, ...tools, tool_choice: { type: 'any' } },
      /tool_choice forces tool use/,
    ],
    ['a budget above the bound', { ...thinking, max_tokens: 1024 }, /must be greater than `thinking.budget_tokens`/],
    ['a small budget', { thinking: { type: 'enabled', budget_tokens: 10 } }, /greater than or equal to 1024/],
    ['a budget for a model with levels', { ...thinking, model: 'claude-opus-5' }, /Use "thinking.type.adaptive"/],
    ['a temperature with thinking', { ...thinking, temperature: 0.5 }, /only be set to 1/],
    [
      'calls without their thinking',
      { ...thinking, ...tools, messages: [user, call, { role: 'user', content: [result] }] },
      /must start with a thinking block/,
    ],
    ['a temperature for a newer model', { model: 'claude-opus-5', temperature: 0.5 }, /not supported for this model/],
    ['temperature with top_p', { temperature: 0.5, top_p: 0.5 }, /cannot both be specified/],
    ['a temperature above 1', { temperature: 1.5 }, /range: 0..1/],
    ['a stop sequence of white space', { stop_sequences: ['\n'] }, /non-whitespace/],
    ['another media type', image('image/jpg', png), /media_type: Input should be/],
    ['a PNG labeled JPEG', image('image/jpeg', png), /appears to be a image\/png image/],
    [
      'an open output schema',
      { output_config: { format: { type: 'json_schema', schema } } },
      /must be explicitly set to false/,
    ],
  ])('refuses %s', (_, body, message) => {
    expect(messages(body)).toMatch(message);
  });

  it("answers in the vendor's form", () => {
    expect(findVendorRefusal('POST /messages', { messages: [] })).toMatchObject({
      status: 400,
      body: { type: 'error', error: { type: 'invalid_request_error', message: 'max_tokens: Field required' } },
    });
  });
});

describe('Google generateContent', () => {
  const ask = { role: 'user', parts: [{ text: 'hi' }] };
  const call = { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] };
  const result = { functionResponse: { name: 'look', response: {} } };

  it.each<[string, Json]>([
    ['a plain request', {}],
    ['a call and its result', { contents: [ask, call, { role: 'user', parts: [result] }] }],
    ['a schema', geminiTool(schema)],
  ])('accepts %s', (_, body) => {
    expect(generate(body)).toBeUndefined();
  });

  it.each<[string, Json, RegExp]>([
    ['no contents', { contents: [] }, /contents is not specified/],
    ['a turn without parts', { contents: [{ role: 'user', parts: [] }] }, /must not be empty/],
    ['a part without data', { contents: [{ role: 'user', parts: [{}] }] }, /oneof field 'data'/],
    ['another role', { contents: [{ role: 'assistant', parts: [{ text: 'a' }] }] }, /valid role/],
    [
      'a result without a call',
      { contents: [{ role: 'user', parts: [result] }] },
      /immediately after a function call turn/,
    ],
    ['fewer results than calls', { contents: [ask, call, ask] }, /equal to the number of function call parts/],
    ['a call at the end', { contents: [ask, call] }, /equal to the number of function call parts/],
    [
      'a call at the start',
      { contents: [call, { role: 'user', parts: [result] }] },
      /function call turn comes immediately/,
    ],
    [
      'arguments that are a list',
      { contents: [ask, { role: 'model', parts: [{ functionCall: { name: 'look', args: [] } }] }] },
      /protobuf.Struct/,
    ],
    ['a function name with a digit first', geminiTool(schema, '1st'), /Invalid function name/],
    ['a long function name', geminiTool(schema, 'a'.repeat(65)), /maximum length of 64/],
    [
      'a list of item schemas',
      geminiTool({ type: 'object', properties: { a: { type: 'array', items: [{}] } } }),
      /items: must be an object/,
    ],
    [
      'an array without items',
      geminiTool({ type: 'object', properties: { a: { type: 'array' } } }),
      /items: missing field/,
    ],
    ['an unknown keyword', geminiTool({ type: 'object', properties: {}, if: {} }), /"if" is not supported/],
    [
      'a literal that is an object',
      geminiTool({ type: 'object', properties: { a: { enum: [null] } } }),
      /only allowed for STRING/,
    ],
    [
      'a keyword that its own form lacks',
      {
        tools: [{ functionDeclarations: [{ name: 'a', parameters: { type: 'OBJECT', additionalProperties: false } }] }],
      },
      /Unknown name "additionalProperties"/,
    ],
    ['six stop sequences', { generationConfig: { stopSequences: ['1', '2', '3', '4', '5', '6'] } }, /at most 5/],
    [
      'a choice of an unknown function',
      { ...geminiTool(schema), toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['b'] } } },
      /subset of the declared/,
    ],
  ])('refuses %s', (_, body, message) => {
    expect(generate(body)).toMatch(message);
  });

  it("answers in the vendor's form", () => {
    const answer = findVendorRefusal('/v1beta/models/m:streamGenerateContent?alt=sse', { contents: [] });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 400, status: 'INVALID_ARGUMENT' } } });
  });
});

it('has no rules for other endpoints', () => {
  expect(findVendorRefusal('/v1/embeddings', {})).toBeUndefined();
});
