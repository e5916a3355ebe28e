import { describe, expect, it } from '@jest/globals';
import { binaryArray } from '@tollgate/postgres/columns';
import { Parameters } from './parameters.js';

interface Input {
  id: string;
  items: { name: string; size: number }[];
  limit: number;
}

describe('Parameters', () => {
  const parameters = new Parameters<Input>();
  const id = parameters.value('uuid', (input) => input.id);
  const items = parameters.rows('i', (input) => input.items, {
    name: ['text', (item) => item.name],
    size: ['int', (item) => item.size],
  });
  const limit = parameters.value('int', (input) => input.limit);
  const sizes = parameters.list('int', (input) => input.items.map(({ size }) => size));

  it('numbers values and columns in the order of their declaration', () => {
    expect([id, items, limit, sizes]).toEqual([
      '$1::uuid',
      'unnest($2::text[], $3::int[]) WITH ORDINALITY AS i(name, size, position)',
      '$4::int',
      '($5::int[])',
    ]);
  });

  it('returns one value per placeholder, a list as one array per column', () => {
    const rows = [
      { name: 'a', size: 1 },
      { name: 'b', size: 2 },
    ];
    const [names, sizes] = [binaryArray('text', ['a', 'b']), binaryArray('int', [1, 2])];
    expect(parameters.values({ id: 'x', items: rows, limit: 9 })).toEqual(['x', names, sizes, 9, sizes]);
    const [noNames, noSizes] = [binaryArray('text', []), binaryArray('int', [])];
    expect(parameters.values({ id: 'x', items: [], limit: 9 })).toEqual(['x', noNames, noSizes, 9, noSizes]);
  });
});
