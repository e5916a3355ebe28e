import { describe, expect, it } from '@jest/globals';
import { descriptorsCheck } from './descriptors-check.js';

const using = (open: number, max: number) => descriptorsCheck(async () => ({ open, max })).check();

describe('descriptorsCheck', () => {
  it('fails before the last descriptor is used', async () => {
    expect(await using(90, 100)).toBeUndefined();
    await expect(using(91, 100)).rejects.toMatchObject({ healthReason: '91 of 100 file descriptors are used' });
  });

  it('passes where the figures cannot be read, and for this process', async () => {
    expect(await descriptorsCheck(async () => undefined).check()).toBeUndefined();
    expect(await descriptorsCheck().check()).toBeUndefined();
  });
});
