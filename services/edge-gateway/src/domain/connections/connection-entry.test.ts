import { describe, expect, it } from '@jest/globals';
import { secretsToBring, toEntry, toSecrets } from './connection-entry.js';

const empty = { keys: [], header_names: [] };
const keys = [
  { id: 'k', secret: 'sk-ant-0123456789', access_key_id: 'AKIA', session_token: 'token', weight: 2 },
  { secret: 'short', weight: 1 },
];

describe('toEntry', () => {
  it('shows the last four characters of keys and the names of headers', () => {
    const entry = toEntry(empty, { preset: 'anthropic', keys, headers: { 'x-team': 'blue' } });
    expect(entry).toEqual({
      preset: 'anthropic',
      keys: [
        { id: 'k', last_four: '6789', access_key_id: 'AKIA', weight: 2 },
        { last_four: '', weight: 1 },
      ],
      header_names: ['x-team'],
    });
  });

  it('keeps what is absent and removes what is null', () => {
    const before = { preset: 'mistral', base_url: 'https://a.example', keys: [], header_names: ['x-team'] };
    expect(toEntry(before, { preset: null, wire: 'openai-chat' })).toEqual({
      wire: 'openai-chat',
      base_url: 'https://a.example',
      keys: [],
      header_names: ['x-team'],
    });
  });
});

it('collects the secrets that are given', () => {
  expect(toSecrets({})).toBeUndefined();
  expect(toSecrets({ headers: { a: 'b' } })).toEqual({ headers: { a: 'b' } });
  expect(toSecrets({ keys })).toEqual({
    keys: [{ secret: 'sk-ant-0123456789', session_token: 'token' }, { secret: 'short' }],
  });
});

describe('secretsToBring', () => {
  const before = {
    base_url: 'https://a.example',
    auth: { type: 'bearer' },
    ...toEntry(empty, { keys, headers: { a: 'b' } }),
  };

  it.each([
    ['nothing while the server stays', { ...before, auth: { type: 'bearer' }, timeouts: { idle_ms: 1 } }, []],
    ['everything for another address', { ...before, base_url: 'https://b.example' }, ['keys', 'headers']],
    ['everything for another authentication', { ...before, auth: { type: 'none' } }, ['keys', 'headers']],
    ['everything for a preset', { ...before, preset: 'openai' }, ['keys', 'headers']],
  ] as const)('requires %s', (_what, after, missing) => {
    expect(secretsToBring(before, { ...after }, {})).toEqual(missing);
  });

  it('requires only stored members that are not given', () => {
    const after = { ...before, base_url: 'https://b.example' };
    expect(secretsToBring(before, after, { keys })).toEqual(['headers']);
    expect(secretsToBring({ ...before, keys: [] }, after, {})).toEqual(['headers']);
  });
});
