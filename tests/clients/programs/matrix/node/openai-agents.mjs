// openai-agents.mjs LIBRARY: OpenAI's agents, over responses.
import { Book, City, serve, WEATHER, weather } from './serve.mjs';

const [library] = process.argv.slice(2);
const { Agent, OpenAIProvider, Runner, tool } = await import(library);

function run({ origin, apiKey, model, prompt }, agent = {}, options = {}) {
  const modelProvider = new OpenAIProvider({ apiKey, baseURL: `${origin}/v1`, useResponses: true });
  const runner = new Runner({ modelProvider, model, tracingDisabled: true });
  return runner.run(new Agent({ name: 'Guide', instructions: 'Be brief.', ...agent }), prompt, options);
}

function toUsage({ state }) {
  return { input: state.usage.inputTokens, output: state.usage.outputTokens };
}

await serve(library, {
  async chat(task) {
    const result = await run(task);
    return { text: result.finalOutput, usage: toUsage(result) };
  },

  async stream(task) {
    const result = await run(task, {}, { stream: true });
    const pieces = [];
    for await (const piece of result.toTextStream()) pieces.push(piece);
    await result.completed;
    return { pieces, usage: toUsage(result) };
  },

  async tools(task) {
    const inputs = [];
    const execute = (input) => {
      inputs.push(input);
      return WEATHER;
    };
    const result = await run(task, { tools: [tool({ ...weather, parameters: City, execute })] });
    return { text: result.finalOutput, inputs, usage: toUsage(result) };
  },

  async structured(task) {
    const result = await run(task, { outputType: Book });
    return { object: result.finalOutput, usage: toUsage(result) };
  },
});
