import { describe, expect, it } from '@jest/globals';
import { stepHoldId, uuidV7 } from './ids.js';

const run = '01a1f982-ca7f-7e36-8824-92a340d2c80a';

describe('stepHoldId', () => {
  it('returns the same id for the same attempt, and another for every attempt, step, node and run', () => {
    const id = stepHoldId(run, 'n', 0, 1);
    expect(id).toBe(stepHoldId(run, 'n', 0, 1));
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const others = [
      stepHoldId(run, 'n', 0, 2),
      stepHoldId(run, 'n', 1, 1),
      stepHoldId(run, 'm', 0, 1),
      stepHoldId(run.replace('01', '02'), 'n', 0, 1),
    ];
    expect(new Set([id, ...others]).size).toBe(5);
  });

  it('follows RFC 9562', () => {
    // As Python's uuid.uuid5 has it.
    expect(stepHoldId('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'n', 3, 4)).toBe('4ac68c62-80ab-5934-a414-ec5d330662a7');
  });
});

describe('uuidV7', () => {
  it('starts with the time', () => {
    const id = uuidV7(0x017f22e279b0, new Uint8Array(16).fill(0xff));
    expect(id).toBe('017f22e2-79b0-77ff-bfff-ffffffffffff');
  });
});
