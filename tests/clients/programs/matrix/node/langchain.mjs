// langchain.mjs LIBRARY: LangChain's models, and an agent with a tool.
import { AIMessageChunk } from '@langchain/core/messages';
import { createAgent, tool } from 'langchain';
import { addUp, Book, City, serve, WEATHER, weather } from './serve.mjs';

const [library] = process.argv.slice(2);
const { ChatOpenAI, ChatAnthropic } = await import(library);

function toModel({ origin, apiKey, model }) {
  const common = { apiKey, model, maxRetries: 0, maxTokens: 500 };
  return ChatAnthropic
    ? new ChatAnthropic({ ...common, anthropicApiUrl: origin })
    : new ChatOpenAI({ ...common, configuration: { baseURL: `${origin}/v1` } });
}

function toUsage({ usage_metadata }) {
  return { input: usage_metadata.input_tokens, output: usage_metadata.output_tokens };
}

await serve(library, {
  async chat(task) {
    const message = await toModel(task).invoke(task.prompt);
    return { text: message.text, usage: toUsage(message) };
  },

  async stream(task) {
    const pieces = [];
    let message = new AIMessageChunk('');
    for await (const chunk of await toModel(task).stream(task.prompt)) {
      if (chunk.text) pieces.push(chunk.text);
      message = message.concat(chunk);
    }
    return { pieces, usage: toUsage(message) };
  },

  async tools(task) {
    const inputs = [];
    const run = (input) => {
      inputs.push(input);
      return WEATHER;
    };
    const agent = createAgent({ model: toModel(task), tools: [tool(run, { ...weather, schema: City })] });
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: task.prompt }] });
    const answers = messages.filter((message) => message.usage_metadata);
    return { text: messages.at(-1).text, inputs, usage: addUp(answers.map(toUsage)) };
  },

  async structured(task) {
    const model = toModel(task).withStructuredOutput(Book, { includeRaw: true });
    const { parsed, raw } = await model.invoke(task.prompt);
    return { object: parsed, usage: toUsage(raw) };
  },
});
