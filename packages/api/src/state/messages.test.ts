import { describe, expect, it } from '@jest/globals';
import { isSearch, listMessagesQuery, readMessagePlace, toMessagePlace } from './messages.js';

const id = '00112233-4455-4677-8899-aabbccddeeff';
const to = 'agent:helper@x';

describe('the cursor of a mailbox', () => {
  it('names a message in digits only, and works as an offset, too', () => {
    const cursor = toMessagePlace(id);
    expect(cursor).toMatch(/^\d{39}$/);
    for (const query of [
      { to, cursor },
      { to, offset: cursor },
    ]) {
      const parsed = listMessagesQuery.parse(query);
      expect([isSearch(parsed), readMessagePlace(parsed)]).toEqual([false, { offset: 0, cursor: id }]);
    }
  });

  it('leaves offsets and the cursors of searches as they are', () => {
    expect(readMessagePlace(listMessagesQuery.parse({ to, offset: '12' }))).toEqual({ offset: 12, cursor: '' });
    expect(readMessagePlace(listMessagesQuery.parse({ to }))).toEqual({ offset: 0, cursor: '' });
    expect(isSearch(listMessagesQuery.parse({ cursor: id }))).toBe(true);
  });

  it.each(['-1', '1.5', 'x', '1000001', '1'.repeat(40)])('rejects the offset %s', (offset) => {
    expect(listMessagesQuery.safeParse({ to, offset }).success).toBe(false);
  });
});
