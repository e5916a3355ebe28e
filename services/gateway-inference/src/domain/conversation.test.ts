import { describe, expect, it } from '@jest/globals';
import { toConversationId, toConversationKey, toListedItem, toNewItems } from './conversation.js';

const KEY = '6f9d3f0c-5a5e-4a54-9a51-222222222222';

describe('the id of a conversation', () => {
  it('names its key, and no other text does', () => {
    expect(toConversationId(KEY)).toBe('conv_6f9d3f0c5a5e4a549a51222222222222');
    expect(toConversationKey(toConversationId(KEY))).toBe(KEY);
    const others = [
      KEY,
      'conv_',
      'conv_6f9d',
      `CONV_${'0'.repeat(32)}`,
      `conv_${'A'.repeat(32)}`,
      `conv_${'0'.repeat(33)}`,
    ];
    for (const text of others) expect(toConversationKey(text)).toBeUndefined();
  });
});

describe('toNewItems', () => {
  const ids = (items: Record<string, unknown>[], taken: string[] = []) =>
    toNewItems(items, taken, KEY).map(({ itemId }) => itemId);

  it('keeps the ids that items bring, and makes one where there is none or it is taken', () => {
    expect(ids([{ id: 'a' }, { role: 'user' }, { id: 'a' }, { type: 'reasoning' }], ['b'])).toEqual([
      'a',
      'msg_6f9d3f0c5a5e4a549a51222222222222_1',
      'msg_6f9d3f0c5a5e4a549a51222222222222_2',
      'rs_6f9d3f0c5a5e4a549a51222222222222_3',
    ]);
    expect(ids([{ id: 'b' }], ['b'])).toEqual(['msg_6f9d3f0c5a5e4a549a51222222222222_0']);
    expect(ids([{ id: 'x'.repeat(257), type: 'web_search_call' }])).toEqual([
      'item_6f9d3f0c5a5e4a549a51222222222222_0',
    ]);
  });

  it('stores items as they were sent, and counts their bytes', () => {
    const sent = { role: 'user', content: 'grüße' };
    expect(toNewItems([sent], [], KEY)).toMatchObject([
      { item: JSON.stringify(sent), bytes: Buffer.byteLength(JSON.stringify(sent)) },
    ]);
  });
});

describe('toListedItem', () => {
  it.each([
    [
      { role: 'assistant', content: 'hi' },
      { content: [{ type: 'output_text', text: 'hi' }], status: 'completed' },
    ],
    [
      { role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      { content: [{ type: 'input_text', text: 'hi' }] },
    ],
    [
      { type: 'message', role: 'assistant', status: 'incomplete', content: [] },
      { status: 'incomplete', content: [] },
    ],
  ])('returns the message %j with parts and a status', (item, listed) => {
    const read = JSON.parse(toListedItem({ itemId: 'a', item: JSON.stringify(item) }));
    expect(read).toMatchObject({ id: 'a', type: 'message', role: item.role, ...listed });
  });

  it('returns other items with their id alone', () => {
    const item = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
    expect(JSON.parse(toListedItem({ itemId: 'a', item: JSON.stringify(item) }))).toEqual({ ...item, id: 'a' });
  });
});
