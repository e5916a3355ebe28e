// google-genai.mjs LIBRARY: a major of Google's library.
import { addUp, cityParameters, serve, WEATHER, weather } from './serve.mjs';

const [library] = process.argv.slice(2);
const { GoogleGenAI } = await import(library);

function ask({ origin, apiKey, model, prompt }) {
  const { models } = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: origin } });
  return { models, asked: { model, contents: [{ role: 'user', parts: [{ text: prompt }] }] } };
}

function toUsage({ usageMetadata: { promptTokenCount, candidatesTokenCount } }) {
  return { input: promptTokenCount, output: candidatesTokenCount };
}

await serve(library, {
  async chat(task) {
    const { models, asked } = ask(task);
    const answer = await models.generateContent(asked);
    return { text: answer.text, usage: toUsage(answer) };
  },

  async stream(task) {
    const { models, asked } = ask(task);
    const pieces = [];
    let last;
    for await (const chunk of await models.generateContentStream(asked)) {
      if (chunk.text) pieces.push(chunk.text);
      last = chunk;
    }
    return { pieces, usage: toUsage(last) };
  },

  async tools(task) {
    const { models, asked } = ask(task);
    const config = { tools: [{ functionDeclarations: [{ ...weather, parametersJsonSchema: cityParameters }] }] };
    const first = await models.generateContent({ ...asked, config });
    const inputs = first.functionCalls.map(({ args }) => args);
    const parts = first.functionCalls.map(({ id, name }) => ({
      functionResponse: { id, name, response: { output: WEATHER } },
    }));
    const contents = [...asked.contents, first.candidates[0].content, { role: 'user', parts }];
    const second = await models.generateContent({ ...asked, contents, config });
    return { text: second.text, inputs, usage: addUp([first, second].map(toUsage)) };
  },

  async structured(task) {
    const { models, asked } = ask(task);
    const responseJsonSchema = {
      type: 'object',
      properties: { title: { type: 'string' }, pages: { type: 'integer' } },
      required: ['title', 'pages'],
    };
    const config = { responseMimeType: 'application/json', responseJsonSchema };
    const answer = await models.generateContent({ ...asked, config });
    return { object: JSON.parse(answer.text), usage: toUsage(answer) };
  },
});
