import { describe, expect, it } from '@jest/globals';
import { connectionSchema } from '@tollgate/catalog';
import { z } from 'zod';
import { presets } from './preset-table.js';
import { completeConnection } from './presets.js';

const parse = (entry: object) => connectionSchema(z.string()).parse({ id: 'c', ...entry });
const complete = (entry: object) => completeConnection(parse(entry));

describe('presets', () => {
  it.each(Object.keys(presets))('completes a connection to %s that states only its address', (preset) => {
    const { wire, base_url: baseUrl } = complete({ preset, base_url: 'https://here.example/v1' });
    expect([wire, baseUrl]).toEqual([presets[preset]!.wire, 'https://here.example/v1']);
  });

  it('lets the entry override what the preset supplies, quirk by quirk', () => {
    const made = complete({ preset: 'vllm', base_url: 'http://vllm:8000/v1', quirks: { top_k: false } });
    expect(made).toMatchObject({ provider: 'custom', auth: { type: 'bearer' } });
    expect(made.quirks).toEqual({ top_k: false, tokenize: 'vllm' });
    expect(complete({ preset: 'anthropic', provider: 'custom', auth: { type: 'bearer' } })).toMatchObject({
      provider: 'custom',
      auth: { type: 'bearer' },
      base_url: 'https://api.anthropic.com',
    });
  });

  it.each<[string, object]>([
    // Perplexity ended chat completions on 2026-09-27.
    ['perplexity', { wire: 'openai-responses', base_url: 'https://api.perplexity.ai/v1' }],
    ['nebius', { base_url: 'https://api.tokenfactory.nebius.com/v1' }],
    ['minimax', { quirks: { temperature_min: 0.01, temperature_max: 1 } }],
  ])('completes the address and the form of %s', (preset, expected) => {
    expect(complete({ preset })).toMatchObject(expected);
  });

  it('offers no forced calls at Ollama, which ignores the choice of a tool', () => {
    expect(complete({ preset: 'ollama', base_url: 'http://ollama:11434/v1' }).quirks.tool_choice).toEqual(['auto']);
  });

  it.each<[string, object, string]>([
    ['an unknown preset', { preset: 'nowhere' }, 'connection c: preset: unknown, must be one of openai, anthropic'],
    ['a name of Object', { preset: 'constructor' }, 'connection c: preset: unknown'],
    ['no wire', { base_url: 'https://a.example' }, 'connection c: wire: required without a preset'],
    ['no address', { preset: 'vllm' }, 'connection c: base_url: required'],
    [
      'a line break in a key',
      { preset: 'openai', keys: [{ secret: 'sk-1\n' }] },
      'connection c: keys: a secret must be',
    ],
    [
      'an id of AWS that no header can carry',
      {
        preset: 'bedrock',
        auth: { type: 'aws', region: 'eu-west-1' },
        keys: [{ access_key_id: 'AKIA\n', secret: 's' }],
      },
      'connection c: keys: a secret must be',
    ],
    [
      'a session token that no header can carry',
      {
        preset: 'bedrock',
        auth: { type: 'aws', region: 'eu-west-1' },
        keys: [{ access_key_id: 'AKIA', secret: 's', session_token: 'ü' }],
      },
      'connection c: keys: a secret must be',
    ],
  ])('rejects a connection with %s', (_, entry, message) => {
    expect(() => complete(entry)).toThrow(message);
  });
});

describe('credentials that are exchanged for tokens', () => {
  it.each([{ type: 'google' }, { type: 'azure', tenant_id: 't', client_id: 'c' }])(
    'accepts line breaks: %j',
    (auth) => {
      const entry = { wire: 'gemini', base_url: 'https://here.example', auth };
      expect(complete({ ...entry, keys: [{ secret: '{\n}' }] }).keys).toHaveLength(1);
      expect(() => complete({ ...entry, keys: [{ secret: '' }] })).toThrow('connection c: keys: ');
    },
  );
});

describe('addresses of clouds', () => {
  it.each<[string, object, string]>([
    [
      'a region',
      { preset: 'bedrock', auth: { type: 'aws', region: 'eu-central-1' } },
      'https://bedrock-runtime.eu-central-1.amazonaws.com',
    ],
    [
      'a region of China',
      { preset: 'bedrock', auth: { type: 'aws', region: 'cn-north-1' } },
      'https://bedrock-runtime.cn-north-1.amazonaws.com.cn',
    ],
    [
      'a project and a location',
      { preset: 'vertex-anthropic', auth: { type: 'google', project: 'acme', location: 'global' } },
      'https://aiplatform.googleapis.com/v1/projects/acme/locations/global/publishers/anthropic',
    ],
    [
      'a project and a region',
      { preset: 'vertex-gemini', auth: { type: 'google', project: 'acme', location: 'us-east5' } },
      'https://us-east5-aiplatform.googleapis.com/v1/projects/acme/locations/us-east5/publishers/google',
    ],
  ])('derives the address from %s', (_, entry, baseUrl) => {
    expect(complete(entry).base_url).toBe(baseUrl);
  });

  it('requires a project', () => {
    expect(() => complete({ preset: 'vertex-gemini' })).toThrow('connection c: base_url: required');
  });
});

describe('connections', () => {
  it.each<[string, object]>([
    ['an id with upper case', { id: 'Main' }],
    ['another scheme', { base_url: 'file:///etc/passwd' }],
    ['an unknown wire', { wire: 'telnet' }],
    ['an unknown authentication', { auth: { type: 'basic' } }],
    ['a header of the transport', { headers: { Host: 'elsewhere' } }],
    ['a header with a line break', { headers: { 'x-a': 'a\r\nx-b: c' } }],
    ['a weight of 0', { keys: [{ secret: 's', weight: 0 }] }],
    ['the sandbox', { provider: 'sandbox' }],
    ['a region that is a host', { auth: { type: 'aws', region: 'x.evil.example/' } }],
    ['a tenant that is a path', { auth: { type: 'azure', tenant_id: '../evil' } }],
    ['a misspelled member', { baseurl: 'https://a.example' }],
  ])('rejects %s', (_, entry) => {
    expect(() => parse(entry)).toThrow(z.ZodError);
  });
});
