// openai-chat.mjs LIBRARY: chat completions with a major of OpenAI's library.
import { Book, cityParameters, serve, WEATHER, weather } from './serve.mjs';

const [library] = process.argv.slice(2);
const { default: OpenAI } = await import(library);
const { zodResponseFormat } = await import(`${library}/helpers/zod`);

function ask({ origin, apiKey, model, prompt }) {
  const { chat } = new OpenAI({ apiKey, baseURL: `${origin}/v1`, maxRetries: 0 });
  return { completions: chat.completions, asked: { model, messages: [{ role: 'user', content: prompt }] } };
}

function toUsage({ prompt_tokens, completion_tokens }) {
  return { input: prompt_tokens, output: completion_tokens };
}

await serve(library, {
  async chat(task) {
    const { completions, asked } = ask(task);
    const { choices, usage } = await completions.create(asked);
    return { text: choices[0].message.content, usage: toUsage(usage) };
  },

  async stream(task) {
    const { completions, asked } = ask(task);
    const stream = completions.stream({ ...asked, stream_options: { include_usage: true } });
    const pieces = [];
    stream.on('content', (piece) => pieces.push(piece));
    const { usage } = await stream.finalChatCompletion();
    return { pieces, usage: toUsage(usage) };
  },

  async tools(task) {
    const { completions, asked } = ask(task);
    const inputs = [];
    const run = (input) => {
      inputs.push(input);
      return WEATHER;
    };
    const tool = {
      type: 'function',
      function: { ...weather, parameters: cityParameters, parse: JSON.parse, function: run },
    };
    const runner = completions.runTools({ ...asked, tools: [tool] });
    const text = await runner.finalContent();
    return { text, inputs, usage: toUsage(await runner.totalUsage()) };
  },

  async structured(task) {
    const { completions, asked } = ask(task);
    const { choices, usage } = await completions.parse({ ...asked, response_format: zodResponseFormat(Book, 'book') });
    return { object: choices[0].message.parsed, usage: toUsage(usage) };
  },
});
