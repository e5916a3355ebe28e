import { describe, expect, it } from '@jest/globals';
import { configFromEnv } from './config.js';

const database = { DATABASE_URL: 'postgresql://localhost/tollgate' };

describe('configFromEnv', () => {
  it('makes a default connection of a key or a base URL alone', () => {
    const connections = (env: object) => configFromEnv({ ...database, ...env }).defaultConnections;
    expect(connections({})).toEqual([]);
    expect(connections({ OPENAI_API_KEY: 'k' })).toMatchObject([
      {
        id: 'openai',
        provider: 'openai',
        wire: 'openai-chat',
        base_url: 'https://api.openai.com/v1',
        keys: [{ secret: 'k' }],
      },
    ]);
    const local = { OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1/', ALLOW_PRIVATE_ENDPOINTS: '1' };
    expect(connections(local)).toMatchObject([{ base_url: 'http://127.0.0.1:11434/v1', keys: [] }]);
    const all = connections({ XAI_API_KEY: 'x', ANTHROPIC_API_KEY: 'a', GEMINI_API_KEY: 'g' });
    expect(all.map(({ id, base_url: baseUrl }) => [id, baseUrl])).toEqual([
      ['anthropic', 'https://api.anthropic.com'],
      ['google-ai-studio', 'https://generativelanguage.googleapis.com/v1beta'],
      ['xai', 'https://api.x.ai/v1'],
    ]);
  });

  it('expects the Responses API and token counts of another server only where they are set', () => {
    const quirks = (env: object) =>
      configFromEnv({ ...database, OPENAI_API_KEY: 'k', ...env }).defaultConnections[0]?.quirks;
    expect(quirks({})).toEqual({});
    expect(quirks({ OPENAI_RESPONSES_API: '1' })).toEqual({ responses: true });
    expect(quirks({ OPENAI_TOKENIZE: 'vllm' })).toEqual({ tokenize: 'vllm' });
  });

  it('adds the sandbox only when SANDBOX_PROVIDER is set', () => {
    expect(configFromEnv(database).sandboxProvider).toBe(false);
    expect(configFromEnv({ ...database, SANDBOX_PROVIDER: '1' }).sandboxProvider).toBe(true);
  });

  it('rejects a private provider address without ALLOW_PRIVATE_ENDPOINTS, and shows no key', () => {
    const env = { ...database, OPENAI_BASE_URL: 'http://10.0.0.1/v1', OPENAI_API_KEY: 'sk-very-secret' };
    expect(() => configFromEnv(env)).toThrow('OPENAI_BASE_URL: a private address needs ALLOW_PRIVATE_ENDPOINTS=1');
    expect(() => configFromEnv(env)).not.toThrow('sk-very-secret');
    for (const name of ['ANTHROPIC_BASE_URL', 'GEMINI_BASE_URL', 'XAI_BASE_URL']) {
      expect(() => configFromEnv({ ...database, [name]: 'http://10.0.0.1' })).toThrow(name);
    }
  });

  it('requires the URL or the key of the search backend', () => {
    const searxng = { ...database, WEB_SEARCH_BACKEND: 'searxng' };
    const brave = { ...database, WEB_SEARCH_BACKEND: 'brave', WEB_SEARCH_API_KEY: 'k' };
    expect(configFromEnv(database).webSearch).toBeUndefined();
    expect(configFromEnv({ ...database, WEB_SEARCH_BACKEND: '' }).webSearch).toBeUndefined();
    expect(configFromEnv({ ...searxng, WEB_SEARCH_URL: 'http://searxng:8080' }).webSearch).toMatchObject({
      kind: 'searxng',
      apiKey: undefined,
    });
    expect(configFromEnv(brave).webSearch).toEqual({ kind: 'brave', url: 'https://api.search.brave.com', apiKey: 'k' });
    expect(() => configFromEnv(searxng)).toThrow('WEB_SEARCH_URL: required for searxng');
    expect(() => configFromEnv({ ...database, WEB_SEARCH_BACKEND: 'tavily' })).toThrow('WEB_SEARCH_API_KEY');
  });

  it('prefers a bucket to a directory for images, and works without both', () => {
    const s3 = {
      IMAGE_STORAGE_S3_ENDPOINT: 'https://s3.example.com',
      IMAGE_STORAGE_S3_BUCKET: 'images',
      IMAGE_STORAGE_S3_ACCESS_KEY_ID: 'id',
      IMAGE_STORAGE_S3_SECRET_ACCESS_KEY: 'secret',
    };
    const directory = { IMAGE_STORAGE_DIR: '/var/lib/images' };
    expect(configFromEnv(database).imageStorage).toBeUndefined();
    expect(configFromEnv({ ...database, ...directory }).imageStorage?.kind).toBe('directory');
    expect(configFromEnv({ ...database, ...directory, ...s3 }).imageStorage?.kind).toBe('s3');
    const { IMAGE_STORAGE_S3_BUCKET: _, ...partial } = s3;
    expect(() => configFromEnv({ ...database, ...partial })).toThrow('go together');
  });
});
