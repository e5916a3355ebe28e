import { describe, expect, it } from '@jest/globals';
import { joinArrays, toCaller, toStoredParts, withItemIds } from './stored-response.js';

const message = { type: 'message', role: 'user', content: 'hi' };

describe('what is stored of a response', () => {
  it('holds its items apart, without those of the responses before', () => {
    const output = [{ type: 'message', id: 'msg_1' }, { type: 'reasoning' }];
    const parts = toStoredParts({ id: 'resp_1', model: 'm', output }, [message, { ...message, content: 'two' }], 1);
    expect(parts).toMatchObject({ responseId: 'resp_1', outputIds: [{ position: 0, itemId: 'msg_1' }] });
    expect(JSON.parse(parts.response)).toEqual({ id: 'resp_1', model: 'm' });
    expect(JSON.parse(parts.inputItems)).toEqual([{ ...message, content: 'two' }]);
    expect(JSON.parse(parts.outputItems)).toEqual(output);
    expect(parts.bytes).toBe((parts.response + parts.inputItems + parts.outputItems).length);
  });

  it('holds a text as the message that it stands for', () => {
    const { inputItems } = toStoredParts({ id: 'r', output: [] }, 'hi', 0);
    expect(JSON.parse(inputItems)).toEqual([{ ...message, content: [{ type: 'input_text', text: 'hi' }] }]);
  });

  it('belongs to the project where no customer asks', () => {
    expect(toCaller({ projectId: 'p', customerId: '' })).toEqual({ projectId: 'p', customerId: null });
    expect(toCaller({ projectId: 'p', customerId: 'c' })).toEqual({ projectId: 'p', customerId: 'c' });
  });
});

it('joins arrays of any length', () => {
  expect(joinArrays(['[]', '[1,[2]]', '[]', '["a"]'])).toBe('[1,[2],"a"]');
  expect(joinArrays(['[]', '[]'])).toBe('[]');
});

describe('the ids of listed items', () => {
  it('keeps those that items have, and makes different ones for the others', () => {
    const items = withItemIds('0-1', [message, { ...message, id: 'msg_own' }, { ...message, id: 'msg_own' }]);
    expect(items.map(({ id }) => id)).toEqual(['msg_01_0', 'msg_own', 'msg_01_2']);
  });

  it('writes the text of a message as its part', () => {
    const [asked, said] = withItemIds('k', [message, { role: 'assistant', content: 'ho' }]);
    expect(asked).toMatchObject({ status: 'completed', content: [{ type: 'input_text', text: 'hi' }] });
    expect(said).toMatchObject({ type: 'message', content: [{ type: 'output_text', text: 'ho' }] });
  });
});
