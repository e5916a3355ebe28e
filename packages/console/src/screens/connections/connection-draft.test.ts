import { expect, it } from '@jest/globals';
import type { Connection } from '../../api/types.js';
import { leadsElsewhere, NEW_CONNECTION, OTHER, toBody, toDraft, toUpdate } from './connection-draft.js';

const STORED: Connection = {
  id: 'c',
  project_id: 'p',
  name: 'mine',
  mode: 'prefer',
  preset: 'openai',
  base_url: 'https://a.example/v1',
  keys: [{ last_four: '4711', weight: 1 }],
  header_names: [],
  models: [
    { model: 'a', upstream_model: 'a' },
    { model: 'b', upstream_model: 'c' },
  ],
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};
const before = toDraft(STORED);

it('writes a new connection with its keys and their shares', () => {
  const keys = [
    { id: 1, secret: ' one ', share: '3' },
    { id: 2, secret: 'two', share: '' },
    { id: 3, secret: '', share: '1' },
  ];
  expect(toBody({ ...NEW_CONNECTION, name: 'new', keys, models: 'a' })).toEqual({
    name: 'new',
    mode: 'prefer',
    preset: 'anthropic',
    keys: [
      { secret: 'one', weight: 3 },
      { secret: 'two', weight: 1 },
    ],
    models: [{ model: 'a' }],
  });
});

it('sends only what has changed, and no keys unless they are given', () => {
  expect(before.models).toBe('a b=c');
  expect(toUpdate(before, before)).toEqual({});
  expect(toUpdate({ ...before, name: 'other', mode: 'only' }, before)).toEqual({ name: 'other', mode: 'only' });
  expect(toUpdate({ ...before, models: 'a' }, before)).toEqual({ models: [{ model: 'a' }] });
});

it('replaces a vendor by a server, and removes an address', () => {
  const server = { ...before, vendor: OTHER, url: 'https://b.example' };
  expect(toUpdate(server, before)).toEqual({ preset: null, wire: 'openai-chat', base_url: 'https://b.example' });
  expect(toUpdate({ ...before, url: '' }, before)).toEqual({ base_url: null });
  expect(toUpdate(before, server)).toMatchObject({ preset: 'openai', wire: null });
});

it('asks for the stored keys again where they would reach another server', () => {
  expect(leadsElsewhere({ ...before, models: 'a', name: 'x' }, before)).toBe(false);
  expect(leadsElsewhere({ ...before, url: '' }, before)).toBe(true);
  expect(leadsElsewhere({ ...before, vendor: 'mistral' }, before)).toBe(true);
});
