// openai-responses.mjs LIBRARY: responses with a major of OpenAI's library.
import { addUp, Book, cityParameters, serve, WEATHER, weather } from './serve.mjs';

const [library] = process.argv.slice(2);
const { default: OpenAI } = await import(library);
const { zodTextFormat } = await import(`${library}/helpers/zod`);

function ask({ origin, apiKey, model, prompt }) {
  const { responses } = new OpenAI({ apiKey, baseURL: `${origin}/v1`, maxRetries: 0 });
  return { responses, asked: { model, input: prompt } };
}

function toUsage({ input_tokens, output_tokens }) {
  return { input: input_tokens, output: output_tokens };
}

await serve(library, {
  async chat(task) {
    const { responses, asked } = ask(task);
    const { output_text, usage } = await responses.create(asked);
    return { text: output_text, usage: toUsage(usage) };
  },

  async stream(task) {
    const { responses, asked } = ask(task);
    const stream = responses.stream(asked);
    const pieces = [];
    stream.on('response.output_text.delta', ({ delta }) => pieces.push(delta));
    const { usage } = await stream.finalResponse();
    return { pieces, usage: toUsage(usage) };
  },

  async tools(task) {
    const { responses, asked } = ask(task);
    const tools = [{ type: 'function', ...weather, parameters: cityParameters, strict: true }];
    const first = await responses.create({ ...asked, tools });
    const calls = first.output.filter(({ type }) => type === 'function_call');
    const answers = calls.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: WEATHER }));
    const input = [{ role: 'user', content: asked.input }, ...first.output, ...answers];
    const second = await responses.create({ ...asked, input, tools });
    const inputs = calls.map((call) => JSON.parse(call.arguments));
    return { text: second.output_text, inputs, usage: addUp([first, second].map(({ usage }) => toUsage(usage))) };
  },

  async structured(task) {
    const { responses, asked } = ask(task);
    const { output_parsed, usage } = await responses.parse({ ...asked, text: { format: zodTextFormat(Book, 'book') } });
    return { object: output_parsed, usage: toUsage(usage) };
  },
});
