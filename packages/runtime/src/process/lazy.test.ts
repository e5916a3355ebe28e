import { describe, expect, it } from '@jest/globals';
import { lazy } from './lazy.js';

describe('lazy', () => {
  it('builds the value at the first call and once', () => {
    let builds = 0;
    const value = lazy(() => ({ number: ++builds }));
    expect(builds).toBe(0);
    expect(value()).toBe(value());
    expect(builds).toBe(1);
  });

  it('keeps a value that is undefined', () => {
    let builds = 0;
    const value = lazy(() => {
      builds++;
    });
    value();
    value();
    expect(builds).toBe(1);
  });

  it('builds again after a build that failed', () => {
    let builds = 0;
    const value = lazy(() => {
      if (++builds === 1) throw new Error('not yet');
      return builds;
    });
    expect(value).toThrow('not yet');
    expect(value()).toBe(2);
  });
});
