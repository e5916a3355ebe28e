// anthropic.mjs LIBRARY: messages with a major of Anthropic's library.
import { addUp, Book, City, serve, WEATHER, weather } from './serve.mjs';

const [library] = process.argv.slice(2);
const { default: Anthropic } = await import(library);
const { zodOutputFormat } = await import(`${library}/helpers/zod`);
const { betaZodTool } = await import(`${library}/helpers/beta/zod`);

function ask({ origin, apiKey, model, prompt }) {
  const client = new Anthropic({ apiKey, baseURL: origin, maxRetries: 0 });
  return { client, asked: { model, max_tokens: 500, messages: [{ role: 'user', content: prompt }] } };
}

function toUsage({ input_tokens, output_tokens }) {
  return { input: input_tokens, output: output_tokens };
}

function readText({ content }) {
  return content.map((block) => block.text ?? '').join('');
}

await serve(library, {
  async chat(task) {
    const { client, asked } = ask(task);
    const message = await client.messages.create(asked);
    return { text: readText(message), usage: toUsage(message.usage) };
  },

  async stream(task) {
    const { client, asked } = ask(task);
    const pieces = [];
    const stream = client.messages.stream(asked).on('text', (piece) => pieces.push(piece));
    const { usage } = await stream.finalMessage();
    return { pieces, usage: toUsage(usage) };
  },

  async tools(task) {
    const { client, asked } = ask(task);
    const inputs = [];
    const run = (input) => {
      inputs.push(input);
      return WEATHER;
    };
    const tool = betaZodTool({ ...weather, inputSchema: City, run });
    const messages = [];
    for await (const message of client.beta.messages.toolRunner({ ...asked, tools: [tool] })) messages.push(message);
    const usage = addUp(messages.map((message) => toUsage(message.usage)));
    return { text: readText(messages.at(-1)), inputs, usage };
  },

  async structured(task) {
    const { client, asked } = ask(task);
    const format = zodOutputFormat(Book);
    const { parsed_output, usage } = await client.messages.parse({ ...asked, output_config: { format } });
    return { object: parsed_output, usage: toUsage(usage) };
  },
});
