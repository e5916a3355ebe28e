import { describe, expect, it } from '@jest/globals';
import { googleGenerateBody } from './generate.js';
import { inputOfGoogle } from './input.js';

const hi = { role: 'user', parts: [{ text: 'hi' }] };

function readInput(more: object, contents: object[] = [hi]) {
  return inputOfGoogle(googleGenerateBody.parse({ contents, ...more }));
}

/** The messages of the first issues. */
function issues(more: object, contents: object[] = [hi]): string[] {
  const { error } = googleGenerateBody.safeParse({ contents, ...more });
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

function part(value: object): object[] {
  return [{ role: 'user', parts: [value] }];
}

describe('input of generateContent', () => {
  it('counts the system instruction, each content, and each result of a function as a message', () => {
    const contents = [
      hi,
      { role: 'model', parts: [{ text: 'a' }, { functionCall: { name: 'f', args: { x: 1 } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: 'done' } } }, { text: 'b' }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { x: 1 } } }] },
    ];
    const systemInstruction = { parts: [{ text: 'one' }, { text: 'two' }] };
    expect(readInput({ systemInstruction }, contents)).toEqual({
      messages: ['one\n\ntwo', 'hi', 'af{"x":1}', 'done', 'b', '{"x":1}'],
    });
  });

  it('counts files, also those of results', () => {
    const inlineData = { mimeType: 'image/png', data: 'AAAA' };
    const files = [{ mimeType: 'image/png', bytes: 3 }];
    expect(readInput({}, part({ inlineData }))).toEqual({ messages: [''], files });
    const functionResponse = { name: 'f', response: {}, parts: [{ inlineData }] };
    expect(readInput({}, part({ functionResponse }))).toEqual({ messages: ['{}', ''], files });
  });

  it('counts parts that only the vendor reads by their bytes', () => {
    const thought = { text: 'häh', thought: true, thoughtSignature: 'c2ln' };
    expect(readInput({}, part(thought))).toEqual({ messages: [''], sealedBytes: 8 });
    const code = { executableCode: { language: 'PYTHON', code: 'print(1)' } };
    expect(readInput({}, part(code))).toEqual({ messages: [''], sealedBytes: JSON.stringify(code).length });
  });

  it('counts functions and schemas, and names the tools that the vendor runs', () => {
    const declaration = { name: 'f', parameters: { type: 'OBJECT' } };
    const tools = [
      { functionDeclarations: [declaration] },
      { googleSearch: {}, codeExecution: {} },
      { computerUse: {} },
    ];
    const responseSchema = { type: 'STRING' };
    expect(readInput({ tools, generationConfig: { responseSchema } })).toEqual({
      messages: ['hi'],
      extras: [JSON.stringify(declaration), JSON.stringify(responseSchema)],
      providerTools: ['search', 'code_run'],
      sealedBytes: 1_024,
    });
  });
});

describe('a body of generateContent', () => {
  it.each([
    [{ cachedContent: 'cachedContents/1' }, 'cachedContent: cachedContent is not supported: send the content itself'],
    [
      { generationConfig: { candidateCount: 2 } },
      'generationConfig.candidateCount: only one candidate per request is supported',
    ],
    [
      { generationConfig: { responseModalities: ['IMAGE'] } },
      'generationConfig.responseModalities.0: only text answers have a price',
    ],
    [
      { generationConfig: { speechConfig: {} } },
      'generationConfig.speechConfig: speechConfig is not supported: it has no price in the catalog',
    ],
    [{ store: true }, 'store: requests are not stored: send store: false, or leave it out'],
    [
      { tools: [{ googleMaps: {} }] },
      'tools.0.googleMaps: tools of type googleMaps are not supported: it may have a price that is not known',
    ],
    [
      { tools: [{ urlContext: {} }] },
      'tools.0.urlContext: tools of type urlContext are not supported: the pages that the model reads have no bound',
    ],
    [
      { tools: [{ googleSearch: { searchTypes: { imageSearch: {} } } }] },
      'tools.0.googleSearch.searchTypes.imageSearch: searches for images have no price in the catalog',
    ],
    [
      { toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
      'toolConfig.functionCallingConfig: the mode ANY needs at least one function',
    ],
    [
      { toolConfig: { functionCallingConfig: { allowedFunctionNames: ['g'] } } },
      'toolConfig.functionCallingConfig: allowedFunctionNames has no declared function: g',
    ],
  ])('rejects %j by name', (more, message) => {
    expect(issues(more)).toContain(message);
  });

  it.each([
    [{ generation_config: { candidateCount: 8 } }, 'generation_config: write generationConfig'],
    [{ cached_content: 'x' }, 'cached_content: write cachedContent'],
    [{ generationConfig: { candidate_count: 8 } }, 'generationConfig.candidate_count: write candidateCount'],
    [{ tools: [{ google_maps: {} }] }, 'tools.0.google_maps: write googleMaps'],
  ])('rejects the other spelling of a member, under which it would pass unchecked: %j', (more, message) => {
    expect(issues(more)).toEqual([message]);
  });

  it('rejects references to files, and data under the other spelling', () => {
    const fileData = { fileUri: 'https://example.com/a.pdf' };
    const message = 'files are not stored: send the data itself as inlineData';
    expect(issues({}, part({ fileData }))).toEqual([`contents.0.parts.0.fileData: ${message}`]);
    expect(issues({}, part({ inline_data: {} }))).toEqual(['contents.0.parts.0.inline_data: write inlineData']);
    expect(issues({}, part({ functionResponse: { name: 'f', parts: [{ fileData }] } }))).toEqual([
      `contents.0.parts.0.functionResponse.parts.0.fileData: ${message}`,
    ]);
  });

  it('accepts members that only the vendor knows', () => {
    expect(issues({ safetySettings: [{ category: 'X' }], newMember: 1, generationConfig: { seed: 1 } })).toEqual([]);
  });
});
