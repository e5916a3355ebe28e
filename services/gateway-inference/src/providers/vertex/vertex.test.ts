import { describe, expect, it } from '@jest/globals';
import { claudeHost, toVertexBody, vertexBaseUrl } from './vertex.js';

it.each([
  ['europe-west4', 'https://europe-west4-aiplatform.googleapis.com'],
  ['global', 'https://aiplatform.googleapis.com'],
  ['eu', 'https://aiplatform.eu.rep.googleapis.com'],
])('reaches the location %s', (location, origin) => {
  const path = `/v1/projects/acme/locations/${location}/publishers/google`;
  expect(vertexBaseUrl('acme', location, 'google')).toBe(origin + path);
});

describe('Claude on Vertex AI', () => {
  const body = { model: 'claude-sonnet-4-5@20250929', max_tokens: 5, messages: [] };

  it('puts the model into the path and the version into the body', () => {
    expect(claudeHost.toRequest(body, body.model, [])).toEqual({
      path: '/models/claude-sonnet-4-5%4020250929:rawPredict',
      body: { anthropic_version: 'vertex-2023-10-16', max_tokens: 5, messages: [] },
      headers: [],
    });
  });

  it('asks for streams by the method and the body', () => {
    const { path, body: hosted } = claudeHost.toRequest({ ...body, stream: true }, body.model, []);
    expect(path).toBe('/models/claude-sonnet-4-5%4020250929:streamRawPredict');
    expect(hosted.stream).toBe(true);
  });

  it('passes on only the features that it knows, by its own names', () => {
    const betas = ['advanced-tool-use-2025-11-20', 'effort-2025-11-24', 'web-search-2025-03-05'];
    expect(claudeHost.toRequest(body, body.model, betas).headers).toEqual([
      'anthropic-beta',
      'tool-search-tool-2025-10-19,web-search-2025-03-05',
    ]);
  });
});

describe('Gemini on Vertex AI', () => {
  it('names the role of each turn', () => {
    const contents = [{ parts: [{ text: 'a' }] }, { role: 'model', parts: [{ text: 'b' }] }];
    expect(toVertexBody({ contents })).toEqual({
      contents: [
        { role: 'user', parts: [{ text: 'a' }] },
        { role: 'model', parts: [{ text: 'b' }] },
      ],
    });
  });

  it('leaves out what only the Gemini API has', () => {
    const functionCallingConfig = { mode: 'ANY' };
    const body = {
      contents: [],
      store: false,
      toolConfig: { functionCallingConfig, includeServerSideToolInvocations: true },
    };
    expect(toVertexBody(body)).toEqual({ contents: [], toolConfig: { functionCallingConfig } });
    expect(toVertexBody({ contents: [], toolConfig: { includeServerSideToolInvocations: true } })).toEqual({
      contents: [],
    });
  });
});
