import { describe, expect, it } from '@jest/globals';
import { isStateOfBrowser, oauthState } from './oauth-state.js';

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
