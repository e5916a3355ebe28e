import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { InferenceSystem } from '../../testing/inference-system.js';

let system: InferenceSystem;

beforeAll(async () => {
  system = await InferenceSystem.start();
});

afterAll(() => system.stop());

const google = { dialect: Dialect.GOOGLE_GENERATE };
const tools = [{ functionDeclarations: [{ name: 'clock', parameters: { type: 'OBJECT', properties: {} } }] }];

function ask(text: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { contents: [{ role: 'user', parts: [{ text }] }], ...more };
}

describe('generateContent at a provider that speaks another dialect', () => {
  it('has the form of the dialect', async () => {
    const requestId = 'a0000000-0000-4000-8000-000000000003';
    expect(await system.answer(ask('hi'), { ...google, requestId })).toEqual({
      candidates: [{ content: { parts: [{ text: 'Echo: hi' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
      modelVersion: 'sandbox/echo-1',
      responseId: requestId,
    });
  });

  it('streams responses, with the finish reason and the usage in the last one', async () => {
    const events = (await system.events(ask('hi there'), google)).map((data) => JSON.parse(data));
    const parts = events.flatMap(({ candidates }) => candidates?.[0].content.parts ?? []);
    expect(parts.map(({ text }) => text).join('')).toBe('Echo: hi there');
    expect(events.filter(({ candidates }) => candidates?.[0].finishReason)).toEqual([events.at(-1)]);
    expect(events.at(-1)).toMatchObject({
      candidates: [{ finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: expect.any(Number), candidatesTokenCount: expect.any(Number) },
    });
    expect(new Set(events.map(({ responseId }) => responseId)).size).toBe(1);
  });

  it('calls a function, and answers with its result', async () => {
    const first = await system.answer(ask('call tool clock', { tools }), google);
    const { content, finishReason } = first.candidates[0];
    expect(finishReason).toBe('STOP');
    const { functionCall } = content.parts.at(-1);
    expect(functionCall).toMatchObject({ id: expect.any(String), name: 'clock', args: {} });
    const { id, name } = functionCall;
    const functionResponse = { id, name, response: { output: 'noon' } };
    const { contents } = ask('call tool clock') as { contents: object[] };
    const next = { contents: [...contents, content, { role: 'user', parts: [{ functionResponse }] }], tools };
    const second = await system.answer(next, google);
    expect(second.candidates[0].content.parts[0].text).toContain('noon');
  });

  it('writes a document that conforms to the schema', async () => {
    const responseSchema = { type: 'OBJECT', properties: { n: { type: 'INTEGER' } }, required: ['n'] };
    const generationConfig = { responseMimeType: 'application/json', responseSchema };
    const { candidates } = await system.answer(ask('count', { generationConfig }), google);
    expect(JSON.parse(candidates[0].content.parts[0].text)).toEqual({ n: expect.any(Number) });
  });
});
