import { describe, expect, it } from '@jest/globals';
import { isStateOfBrowser, oauthState, readStatePlace } from './oauth-state.js';

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
