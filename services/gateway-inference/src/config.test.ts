import { describe, expect, it } from '@jest/globals';
import { configFromEnv } from './config.js';

describe('configuration', () => {
  it('knows a provider by its key or its address alone', () => {
    expect(configFromEnv({}).openai).toBeUndefined();
    expect(configFromEnv({ OPENAI_API_KEY: 'k' }).openai).toEqual({
      apiKey: 'k',
      baseUrl: 'https://api.openai.com/v1',
    });
    const local = { OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1/', ALLOW_PRIVATE_ENDPOINTS: '1' };
    expect(configFromEnv(local).openai).toEqual({ apiKey: undefined, baseUrl: 'http://127.0.0.1:11434/v1' });
    expect(configFromEnv({ XAI_API_KEY: 'x' }).xai?.baseUrl).toBe('https://api.x.ai/v1');
  });

  it('has no sandbox unless asked', () => {
    expect(configFromEnv({}).sandbox).toBe(false);
    expect(configFromEnv({ SANDBOX_PROVIDER: '1' }).sandbox).toBe(true);
  });

  it('refuses a private provider address that nobody allowed, without showing keys', () => {
    const env = { OPENAI_BASE_URL: 'http://10.0.0.1/v1', OPENAI_API_KEY: 'sk-very-secret' };
    expect(() => configFromEnv(env)).toThrow('OPENAI_BASE_URL: a private address needs ALLOW_PRIVATE_ENDPOINTS=1');
    expect(() => configFromEnv(env)).not.toThrow('sk-very-secret');
  });
});
