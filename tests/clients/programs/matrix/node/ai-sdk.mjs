// ai-sdk.mjs LIBRARY PROVIDER_LIBRARY: Vercel's AI SDK with a provider, with the defaults of both.
import { Book, City, serve, WEATHER, weather } from './serve.mjs';

const [library, providerLibrary] = process.argv.slice(2);
const ai = await import(library);
const provider = await import(providerLibrary);

function ask({ origin, apiKey, model, prompt }) {
  const baseURL = `${origin}/v1`;
  const make = provider.createOpenAI ?? provider.createAnthropic;
  const models =
    make?.({ apiKey, baseURL }) ??
    provider.createOpenAICompatible({
      ...{ name: 'tollgate', apiKey, baseURL },
      ...{ includeUsage: true, supportsStructuredOutputs: true },
    });
  return { model: models(model), prompt, maxRetries: 0 };
}

function toUsage({ inputTokens, outputTokens }) {
  return { input: inputTokens, output: outputTokens };
}

await serve(library, {
  async chat(task) {
    const { text, usage } = await ai.generateText(ask(task));
    return { text, usage: toUsage(usage) };
  },

  async stream(task) {
    const failures = [];
    const result = ai.streamText({ ...ask(task), onError: ({ error }) => void failures.push(error) });
    const pieces = [];
    for await (const piece of result.textStream) pieces.push(piece);
    if (failures.length > 0) throw failures[0];
    return { pieces, usage: toUsage(await result.usage) };
  },

  async tools(task) {
    const inputs = [];
    const execute = async (input) => {
      inputs.push(input);
      return WEATHER;
    };
    const tools = { [weather.name]: ai.tool({ description: weather.description, inputSchema: City, execute }) };
    const stopWhen = (ai.isStepCount ?? ai.stepCountIs)(3);
    const { text, totalUsage } = await ai.generateText({ ...ask(task), tools, stopWhen });
    return { text, inputs, usage: toUsage(totalUsage) };
  },

  async structured(task) {
    const { output, usage } = await ai.generateText({ ...ask(task), output: ai.Output.object({ schema: Book }) });
    return { object: output, usage: toUsage(usage) };
  },
});
