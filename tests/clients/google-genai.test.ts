// Google's own client library, unmodified, current and previous major: on models that other providers serve, and on Gemini
// models, whose answers are forwarded. Its usage is what was charged.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type FakeProvider, startFakeProvider } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import { must, type System, startSystem, type TestCustomer, type TestProject } from '../system/start-system.js';
import { toVendorEnv } from '../system/vendor-env.js';

// biome-ignore lint/suspicious/noExplicitAny: the library is installed outside the workspace, without its types
type Library = any;

const PRICE = { input: 200, output: 600 };
const SANDBOX = 'sandbox/echo-1';
const CHAT = 'test/openai-1';
const CLAUDE = 'test/anthropic-1';
const GEMINI = 'test/google-1';
const EMBEDDER = 'sandbox/embed-1';
const models = [SANDBOX, CHAT, CLAUDE, GEMINI];
const weather = {
  name: 'get_weather',
  description: 'The weather in a city',
  parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } }, required: ['city'] },
};

let upstream: FakeProvider;
let system: System;
let project: TestProject;
let customer: TestCustomer;

async function start(): Promise<void> {
  upstream = await startFakeProvider({ apiKey: 'k-upstream' });
  system = await startSystem({
    mode: 'one process',
    env: toVendorEnv(upstream),
  });
  project = await system.project();
}

async function stop(): Promise<void> {
  await system?.stop();
  await upstream?.stop();
}

async function newCustomer(): Promise<void> {
  customer = await project.customerOn('free', {
    spendLimitCents: 100_000,
    tier: {
      models: [...models, EMBEDDER].map((model_id, i) => ({
        model_id,
        is_default: i === 0,
        input_price_per_million_cents: PRICE.input,
        output_price_per_million_cents: PRICE.output,
      })),
    },
  });
}

/** The charge that the answers' usage adds up to. */
function addPrices(answers: readonly Library[]): number {
  return answers.reduce((sum, { usageMetadata: used }) => {
    const output = (used.candidatesTokenCount ?? 0) + (used.thoughtsTokenCount ?? 0);
    return sum + used.promptTokenCount * PRICE.input + output * PRICE.output;
  }, 0);
}

async function expectExactBill(answers: readonly Library[]): Promise<void> {
  const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
  expect(usage.total_cost_microcents).toBe(addPrices(answers));
}

describeWith('CLIENT_TOOLS', '@google/genai', (tools) => {
  beforeAll(start);
  afterAll(stop);

  describe.each(['@google/genai', 'google-genai-2'])('%s', (name) => {
    let ai: Library;

    beforeEach(async () => {
      await newCustomer();
      const { GoogleGenAI } = createRequire(join(tools, 'package.json'))(name);
      ai = new GoogleGenAI({ apiKey: customer.token, httpOptions: { baseUrl: system.stack.httpUrl } });
    });

    describe.each(models)('with %s', (model) => {
      it('answers plain and as a stream, with the usage that is charged', async () => {
        const config = { systemInstruction: 'be brief', temperature: 0.5, maxOutputTokens: 200 };
        const asked = { model, contents: 'hello there', config };
        const plain = await ai.models.generateContent(asked);
        expect(plain.text).toContain('hello there');
        expect(plain).toMatchObject({ modelVersion: model, candidates: [{ finishReason: 'STOP' }] });
        let text = '';
        let last: Library;
        for await (const chunk of await ai.models.generateContentStream(asked)) {
          text += chunk.text ?? '';
          last = chunk;
        }
        expect(text).toBe(plain.text);
        expect(last.usageMetadata).toMatchObject(plain.usageMetadata);
        await expectExactBill([plain, last]);
      });

      it('keeps the history of a chat, streamed', async () => {
        const chat = ai.chats.create({ model });
        await chat.sendMessage({ message: 'one' });
        for await (const _chunk of await chat.sendMessageStream({ message: 'two' }));
        const history = chat.getHistory(true);
        expect(history.map(({ role }: Library) => role)).toEqual(expect.arrayContaining(['user', 'model']));
        expect(JSON.stringify(history)).toContain('two');
        expect((await chat.sendMessage({ message: 'three' })).text).toContain('three');
      });

      it('calls a function, plain and streamed, and answers with its result', async () => {
        const contents: Library[] = [{ role: 'user', parts: [{ text: 'call tool get_weather' }] }];
        const config = { tools: [{ functionDeclarations: [weather] }] };
        const plain = await ai.models.generateContent({ model, contents, config });
        let streamed: Library;
        for await (const chunk of await ai.models.generateContentStream({ model, contents, config })) {
          if (chunk.functionCalls) streamed = chunk;
        }
        for (const { functionCalls } of [plain, streamed]) {
          expect(functionCalls).toMatchObject([{ name: 'get_weather', args: { city: expect.any(String) } }]);
        }
        const [call] = plain.functionCalls;
        const functionResponse = { id: call.id, name: call.name, response: { output: '21 degrees' } };
        contents.push(plain.candidates[0].content, { role: 'user', parts: [{ functionResponse }] });
        const { text } = await ai.models.generateContent({ model, contents, config });
        expect(text).toContain('21 degrees');
      });

      it('calls the function that the request requires', async () => {
        const functionCallingConfig = { mode: 'ANY', allowedFunctionNames: ['get_weather'] };
        const config = { tools: [{ functionDeclarations: [weather] }], toolConfig: { functionCallingConfig } };
        const { functionCalls } = await ai.models.generateContent({ model, contents: 'hi', config });
        expect(functionCalls).toMatchObject([{ name: 'get_weather' }]);
      });

      it('writes JSON by a schema of either form', async () => {
        const properties = { n: { type: 'INTEGER' } };
        const responseMimeType = 'application/json';
        for (const schema of [
          { responseSchema: { type: 'OBJECT', properties, required: ['n'] } },
          { responseJsonSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
        ]) {
          const config = { responseMimeType, ...schema };
          const { text } = await ai.models.generateContent({ model, contents: 'count', config });
          expect(typeof JSON.parse(text)).toBe('object');
        }
      });

      it('counts tokens and finds the model', async () => {
        const { totalTokens } = await ai.models.countTokens({ model, contents: 'hello there' });
        expect(totalTokens).toBeGreaterThan(0);
        expect(await ai.models.get({ model })).toMatchObject({ name: `models/${model}` });
        await expectExactBill([]);
      });
    });

    it('lists the models of the tier page by page', async () => {
      const found: string[] = [];
      for await (const { name: found_ } of await ai.models.list({ config: { pageSize: 2 } })) found.push(found_);
      expect(found.sort()).toEqual([...models, EMBEDDER].map((model) => `models/${model}`).sort());
    });

    it('embeds texts, charged by their tokens', async () => {
      const { embeddings } = await ai.models.embedContent({ model: EMBEDDER, contents: ['one', 'two words'] });
      expect(embeddings).toHaveLength(2);
      for (const { values } of embeddings) expect(values.length).toBeGreaterThan(0);
      const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
      expect(usage.total_cost_microcents).toBeGreaterThan(0);
    });

    it('sends the unchanged request to Gemini', async () => {
      const contents = [{ role: 'user', parts: [{ text: 'hello', thoughtSignature: 'c2ln' }] }];
      const safetySettings = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }];
      const config = {
        topK: 5,
        seed: 7,
        safetySettings,
        thinkingConfig: { includeThoughts: true, thinkingBudget: 64 },
      };
      await ai.models.generateContent({ model: GEMINI, contents, config });
      const { topK, seed, thinkingConfig } = config;
      expect(upstream.requests.at(-1)?.body).toMatchObject({
        contents,
        safetySettings,
        generationConfig: { topK, seed, thinkingConfig, maxOutputTokens: expect.any(Number) },
      });
    });

    it('throws the errors of the library, with our code', async () => {
      const unknown = ai.models.generateContent({ model: 'nope', contents: 'x' });
      await expect(unknown).rejects.toMatchObject({ name: 'ApiError', status: 404 });
      const cached = ai.models.generateContent({ model: SANDBOX, contents: 'x', config: { cachedContent: 'c' } });
      await expect(cached).rejects.toMatchObject({ status: 400, message: expect.stringContaining('cachedContent') });
      const failing = async () => {
        const asked = { model: SANDBOX, contents: 'fail with cut' };
        for await (const _chunk of await ai.models.generateContentStream(asked));
      };
      await expect(failing()).rejects.toThrow(/PROVIDER_ERROR|Incomplete JSON|terminated/);
    });
  });
});
