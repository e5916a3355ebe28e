import { describe, expect, it } from '@jest/globals';
import { configFromEnv } from './config.js';

const database = { DATABASE_URL: 'postgresql://localhost/tollgate' };

describe('configuration', () => {
  it('enables a provider by its key or its base URL alone', () => {
    expect(configFromEnv(database).openai).toBeUndefined();
    expect(configFromEnv({ ...database, OPENAI_API_KEY: 'k' }).openai).toEqual({
      apiKey: 'k',
      baseUrl: 'https://api.openai.com/v1',
    });
    const local = { ...database, OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1/', ALLOW_PRIVATE_ENDPOINTS: '1' };
    expect(configFromEnv(local).openai).toEqual({ apiKey: undefined, baseUrl: 'http://127.0.0.1:11434/v1' });
    expect(configFromEnv({ ...database, XAI_API_KEY: 'x' }).xai?.baseUrl).toBe('https://api.x.ai/v1');
    const { anthropic, google } = configFromEnv({ ...database, ANTHROPIC_API_KEY: 'a', GEMINI_API_KEY: 'g' });
    expect(anthropic).toEqual({ apiKey: 'a', baseUrl: 'https://api.anthropic.com' });
    expect(google).toEqual({ apiKey: 'g', baseUrl: 'https://generativelanguage.googleapis.com/v1beta' });
  });

  it('forwards to the Responses API of another server only if configured', () => {
    expect(configFromEnv(database).openaiResponses).toBe(false);
    expect(configFromEnv({ ...database, OPENAI_RESPONSES_API: '1' }).openaiResponses).toBe(true);
  });

  it('disables the sandbox by default', () => {
    expect(configFromEnv(database).sandbox).toBe(false);
    expect(configFromEnv({ ...database, SANDBOX_PROVIDER: '1' }).sandbox).toBe(true);
  });

  it('rejects a private provider address unless allowed, without showing keys', () => {
    const env = { ...database, OPENAI_BASE_URL: 'http://10.0.0.1/v1', OPENAI_API_KEY: 'sk-very-secret' };
    expect(() => configFromEnv(env)).toThrow('OPENAI_BASE_URL: a private address needs ALLOW_PRIVATE_ENDPOINTS=1');
    expect(() => configFromEnv(env)).not.toThrow('sk-very-secret');
    for (const name of ['ANTHROPIC_BASE_URL', 'GEMINI_BASE_URL', 'XAI_BASE_URL']) {
      expect(() => configFromEnv({ ...database, [name]: 'http://10.0.0.1' })).toThrow(name);
    }
  });

  it('configures each web search backend and requires its settings', () => {
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

  it('stores images in a bucket, in a directory, or not at all', () => {
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
