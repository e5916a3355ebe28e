import { describe, expect, it } from '@jest/globals';
import { type GoogleGenerateBody, googleGenerateBody, inputOfGoogle } from '@tollgate/api/compatible';
import { messageText, textOfMessage } from '../../domain/model-request.js';
import { generateDialect } from './generate-dialect.js';

const hi = { role: 'user', parts: [{ text: 'hi' }] };

function body(more: object, contents: object[] = [hi]): GoogleGenerateBody {
  return googleGenerateBody.parse({ contents, ...more });
}

function convert(more: object, contents?: object[]) {
  return generateDialect.toModelRequest(body(more, contents));
}

const declare = (...names: string[]) => ({ functionDeclarations: names.map((name) => ({ name })) });
const refusal = (field: string) =>
  expect.objectContaining({ status: 400, fields: [expect.objectContaining({ field })] });

describe('a conversation of generateContent', () => {
  const turn = [
    { role: 'user', parts: [{ text: 'weather?' }, { inlineData: { mimeType: 'image/PNG', data: 'AAAA' } }] },
    {
      role: 'model',
      parts: [
        { text: 'thinking', thought: true },
        { text: 'Let me see.' },
        { functionCall: { name: 'weather', args: { city: 'A' } }, thoughtSignature: 'c2ln' },
        { functionCall: { name: 'weather', args: { city: 'B' } } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { name: 'weather', response: { output: 'sun' } } },
        { functionResponse: { name: 'weather', response: { wind: 3 } } },
      ],
    },
  ];

  it('keeps texts, files, parallel calls and their results, and leaves out thoughts', () => {
    const { messages } = convert({ systemInstruction: { parts: [{ text: 'Be short.' }] } }, turn);
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool']);
    expect(messages[1]!.content).toEqual([
      { type: 'text', text: 'weather?' },
      { type: 'file', file: { mime_type: 'image/png', data_base64: 'AAAA' } },
    ]);
    expect(messages[2]).toMatchObject({
      content: [{ type: 'text', text: 'Let me see.' }],
      toolCalls: [
        { id: 'call_1', function: { name: 'weather', arguments: '{"city":"A"}' } },
        { id: 'call_2', function: { name: 'weather', arguments: '{"city":"B"}' } },
      ],
    });
    expect(messages.slice(3).map((one) => [one.toolCallId, messageText(one)])).toEqual([
      ['call_1', 'sun'],
      ['call_2', '{"wind":3}'],
    ]);
  });

  it('counts as exactly the messages that it becomes', () => {
    const { messages } = convert({}, turn);
    expect(inputOfGoogle(body({}, turn)).messages).toEqual(messages.map(textOfMessage));
  });

  it.each([
    ['ids', [{ id: 'b' }, { id: 'a' }], ['b', 'a']],
    ['names, where the client made up ids', [{ id: 'x' }, { id: 'y' }], undefined],
  ])('matches results to calls by their %s', (_how, results, expected) => {
    const ids = expected ? [{ id: 'a' }, { id: 'b' }] : [{}, {}];
    const { messages } = convert({}, [
      { role: 'model', parts: ids.map((id) => ({ functionCall: { ...id, name: 'f' } })) },
      { role: 'user', parts: results.map((id) => ({ functionResponse: { ...id, name: 'f', response: {} } })) },
    ]);
    expect(messages.slice(1).map(({ toolCallId }) => toolCallId)).toEqual(expected ?? ['call_1', 'call_2']);
  });

  it('puts files of results behind the last result', () => {
    const inlineData = { mimeType: 'image/png', data: 'AAAA' };
    const { messages } = convert({}, [
      { role: 'model', parts: [{ functionCall: { name: 'f' } }] },
      { role: 'function', parts: [{ functionResponse: { name: 'f', response: {}, parts: [{ inlineData }] } }] },
    ]);
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']);
    expect(messages[2]!.content).toMatchObject([{ type: 'file' }]);
  });

  it.each([
    ['a result without a call', [{ role: 'user', parts: [{ functionResponse: { name: 'f' } }] }]],
    ['a call of the user', [{ role: 'user', parts: [{ functionCall: { name: 'f' } }] }]],
    ['a result of the model', [{ role: 'model', parts: [{ functionResponse: { name: 'f' } }] }]],
    ['a part of an unknown type', [{ role: 'user', parts: [{ hologram: {} }] }]],
  ])('rejects %s', (_what, contents) => {
    expect(() => convert({}, contents)).toThrow(refusal('contents'));
  });
});

describe('the tools of generateContent', () => {
  it('converts functions to JSON schemas', () => {
    const parameters = { type: 'OBJECT', properties: { city: { type: 'STRING' } } };
    const parametersJsonSchema = { type: 'object', properties: { n: { type: 'integer' } } };
    const functionDeclarations = [
      { name: 'a', description: 'A', parameters },
      { name: 'b', parametersJsonSchema },
      { name: 'c', parameters_json_schema: parametersJsonSchema }, // as the vendor's Python library writes it
    ];
    expect(convert({ tools: [{ functionDeclarations }] }).tools).toEqual([
      { name: 'a', description: 'A', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
      { name: 'b', description: undefined, parameters: parametersJsonSchema },
      { name: 'c', description: undefined, parameters: parametersJsonSchema },
    ]);
  });

  it.each([
    [{ mode: 'AUTO' }, ['a', 'b'], { type: 'auto' }],
    [{ mode: 'VALIDATED' }, ['a', 'b'], { type: 'auto' }],
    [{ mode: 'NONE' }, ['a', 'b'], { type: 'none' }],
    [{ mode: 'ANY' }, ['a', 'b'], { type: 'required' }],
    [{ mode: 'ANY', allowedFunctionNames: ['b'] }, ['b'], { type: 'required', function: 'b' }],
    [{ mode: 'ANY', allowedFunctionNames: ['a', 'b'] }, ['a', 'b'], { type: 'required' }],
    [{}, ['a', 'b'], undefined],
  ])('offers tools to choose from by %j', (functionCallingConfig, names, choice) => {
    const { tools, toolChoice } = convert({ tools: [declare('a', 'b')], toolConfig: { functionCallingConfig } });
    expect(tools.map(({ name }) => name)).toEqual(names);
    expect(toolChoice).toEqual(choice);
  });

  it('names the searches and code that run at the provider', () => {
    const tools = [{ googleSearch: {} }, { codeExecution: {} }];
    expect(convert({ tools }).providerTools).toEqual([
      { type: 'web', options: {} },
      { type: 'code_execution', options: {} },
    ]);
    expect(generateDialect.capabilities(body({ tools }), false)).toEqual(['web_search', 'code_execution']);
  });

  it.each([[{ computerUse: {} }], [declare('a:b')]])('rejects a tool that only the vendor supports: %j', (tool) => {
    expect(() => convert({ tools: [tool] })).toThrow(refusal('tools'));
  });
});

describe('the settings of generateContent', () => {
  const settings = (generationConfig: object) => convert({ generationConfig });

  it('keeps sampling and stop sequences', () => {
    expect(settings({ temperature: 0.5, topP: 0.9, stopSequences: ['x'], seed: 7 })).toMatchObject({
      temperature: 0.5,
      topP: 0.9,
      stop: ['x'],
    });
  });

  it.each([
    [{ thinkingBudget: 0 }, 'none'],
    [{ thinkingBudget: 512 }, 'low'],
    [{ thinkingBudget: 8_192 }, 'medium'],
    [{ thinkingBudget: 24_576 }, 'high'],
    [{ thinkingBudget: -1 }, undefined],
    [{ includeThoughts: true }, undefined],
    [{ thinkingLevel: 'MINIMAL' }, 'low'],
    [{ thinkingLevel: 'HIGH' }, 'high'],
    [{ thinkingLevel: 'THINKING_LEVEL_UNSPECIFIED' }, undefined],
  ])('converts %j to the effort %s', (thinkingConfig, effort) => {
    expect(settings({ thinkingConfig }).reasoningEffort).toBe(effort);
  });

  it('asks for JSON, with a closed schema where that is possible', () => {
    const type = 'application/json';
    expect(settings({ responseMimeType: type }).outputFormat).toEqual({ type: 'json_object' });
    expect(settings({ responseMimeType: 'text/plain' }).outputFormat).toBeUndefined();
    const responseSchema = { type: 'OBJECT', properties: { a: { type: 'STRING' } } };
    expect(settings({ responseMimeType: type, responseSchema }).outputFormat?.json_schema).toEqual({
      name: 'output',
      schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
      strict: true,
    });
    const responseJsonSchema = { type: 'object', additionalProperties: { type: 'string' } };
    expect(settings({ responseMimeType: type, responseJsonSchema }).outputFormat?.json_schema).toEqual({
      name: 'output',
      schema: responseJsonSchema,
      strict: false,
    });
  });

  it.each([
    ['mediaResolution', 'MEDIA_RESOLUTION_HIGH'],
    ['responseMimeType', 'text/x.enum'],
  ])('rejects a setting that only the vendor supports: %s', (name, value) => {
    expect(() => settings({ [name]: value })).toThrow(refusal(`generationConfig.${name}`));
  });

  it('finds the parameters that not every provider has, and converts those that some others have', () => {
    const config = {
      topK: 5,
      frequencyPenalty: 0.5,
      presencePenalty: -1,
      seed: 7,
      responseLogprobs: true,
      logprobs: 3,
    };
    const found = generateDialect.parameters!(body({ generationConfig: config }));
    expect(new Set(found.map(({ field }) => field))).toEqual(
      new Set(Object.keys(config).map((name) => `generationConfig.${name}`)),
    );
    const sampling = { topK: 5, frequencyPenalty: 0.5, presencePenalty: -1, seed: 7 };
    expect(settings(config).sampling).toEqual(sampling);
  });

  it('finds no parameters in values that ask for nothing', () => {
    const none = { topK: 64, frequencyPenalty: 0, presencePenalty: null, responseLogprobs: false };
    expect(generateDialect.parameters!(body({ generationConfig: none }))).toEqual([]);
    expect(settings(none).messages).toHaveLength(1);
  });
});

it('names the capabilities that a body needs', () => {
  const file = (mimeType: string) => ({ inlineData: { mimeType, data: 'AAAA' } });
  const contents = [{ parts: [file('image/png'), file('audio/wav'), file('application/pdf')] }];
  const needed = { tools: [declare('f')], generationConfig: { responseMimeType: 'application/json' } };
  expect(generateDialect.capabilities(body(needed, contents), false)).toEqual([
    'vision',
    'audio',
    'document',
    'tool_use',
    'structured_output',
  ]);
});
