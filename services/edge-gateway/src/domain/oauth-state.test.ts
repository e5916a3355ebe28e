import { describe, expect, it } from '@jest/globals';
import { isStateOfBrowser, oauthState, readStatePlace, readStateServer } from './oauth-state.js';

describe('isStateOfBrowser', () => {
  it('accepts only the browser of the state', () => {
    const state = oauthState('random', 'browser-1');
    expect(isStateOfBrowser(state, 'browser-1')).toBe(true);
    expect(isStateOfBrowser(state, 'browser-2')).toBe(false);
    expect(isStateOfBrowser(oauthState('other', 'browser-1').replace('other', 'random'), 'browser-1')).toBe(false);
  });

  it.each(['', 'random', 'random.', '.', 'random.x.y'])('rejects %j', (state) => {
    expect(isStateOfBrowser(state, 'browser-1')).toBe(false);
  });
});

describe('readStatePlace', () => {
  it.each(['console', 'device'] as const)('returns the place %s of a state, which the browser can return', (place) => {
    const state = oauthState('random', 'browser-1', place);
    expect([readStatePlace(state), isStateOfBrowser(state, 'browser-1')]).toEqual([place, true]);
  });

  it.each(['', 'random', oauthState('random', 'browser-1'), 'a.b.evil'])('finds no place in %j', (state) => {
    expect(readStatePlace(state)).toBeUndefined();
  });
});

const [a, b] = ['0b5d3f0e-6f0c-4a53-8f67-0d2f5a1f2a3b', '1c5d3f0e-6f0c-4a53-8f67-0d2f5a1f2a3b'];

describe('readStateServer', () => {
  it('returns the project and the server', () => {
    expect(readStateServer(`random.${a}.${b}`)).toEqual({ projectId: a, serverId: b });
  });

  it.each(['', 'random', `random.${a}`, `random.${a}.x`, `random.../evil.${b}`])('returns nothing for %j', (state) => {
    expect(readStateServer(state)).toBeUndefined();
  });
});
