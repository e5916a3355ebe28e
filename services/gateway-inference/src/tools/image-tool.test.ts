import { describe, expect, it } from '@jest/globals';
import { derivedId } from './image-tool.js';

describe('ids derived from others', () => {
  it('returns the same version 5 UUID for the same parts', () => {
    const id = derivedId('a', 'b');
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(derivedId('a', 'b')).toBe(id);
    // Charges are found by this id: it must never change.
    expect(id).toBe('5b162de8-ae05-55e7-b842-01b00177b541');
  });

  it('returns different ids when any part differs', () => {
    expect(new Set([derivedId('a', 'b'), derivedId('ab'), derivedId('a', 'b', ''), derivedId('b', 'a')]).size).toBe(4);
  });
});
