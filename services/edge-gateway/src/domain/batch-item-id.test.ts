import { describe, expect, it } from '@jest/globals';
import { batchItemId } from './batch-item-id.js';

const attempt = '11111111-2222-4333-8444-555555555555';

describe('batchItemId', () => {
  it('returns the same UUID for the same attempt and index', () => {
    const id = batchItemId(attempt, 3);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(batchItemId(attempt, 3)).toBe(id);
  });

  it('differs between the items of an attempt and between attempts', () => {
    const ids = [1, 2, 12].map((index) => batchItemId(attempt, index));
    expect(new Set([...ids, batchItemId(attempt.replace('1', '9'), 1)]).size).toBe(4);
  });
});
