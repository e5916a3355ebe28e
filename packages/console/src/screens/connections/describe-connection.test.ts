import { expect, it } from '@jest/globals';
import { describeKeys, describeModels, describeVendor, readModels } from './describe-connection.js';

it('names the vendor, or the form of its requests, with the address', () => {
  expect(describeVendor({ preset: 'mistral' })).toBe('mistral');
  expect(describeVendor({ wire: 'openai-chat', base_url: 'https://a.example/v1' })).toBe(
    'openai-chat, https://a.example/v1',
  );
});

it('shows the ends of keys only', () => {
  expect(describeKeys({ keys: [{ last_four: '4711', weight: 1 }] })).toBe('…4711');
  expect(describeKeys({ keys: [] })).toBe('none');
});

it('names models once where the vendor has the same name', () => {
  const models = [
    { model: 'a', upstream_model: 'a' },
    { model: 'b', upstream_model: 'c' },
  ];
  expect(describeModels({ models })).toBe('a, b (c)');
});

it('reads models with and without a name at the vendor', () => {
  expect(readModels(' a, b=c\nd ')).toEqual([{ model: 'a' }, { model: 'b', upstream_model: 'c' }, { model: 'd' }]);
});
