import { describe, expect, it } from '@jest/globals';
import { readFrontmatter } from './frontmatter.js';

const read = (...lines: string[]) => readFrontmatter(['---', ...lines, '---', '', 'Body', ''].join('\n'));

describe('readFrontmatter', () => {
  it('reads valid YAML without faults', () => {
    expect(read('name: a', 'description: |', '  two', '  lines', 'tools: [Read, "Grep"]', 'metadata: {x: 1}')).toEqual({
      values: { name: 'a', description: 'two\nlines\n', tools: ['Read', 'Grep'], metadata: { x: 1 } },
      body: 'Body',
      faults: [],
    });
  });

  it('reports unknown keys, which may be lines of a description', () => {
    const frontmatter = read('description: First', 'Context: second', 'name: a');
    expect(frontmatter?.values).toMatchObject({ description: 'First', name: 'a' });
    expect(frontmatter?.faults).toEqual([{ key: 'Context', line: 3, message: 'is not a known key: ignored' }]);
  });

  it('reads yes, no and on as strings', () => {
    expect(read('name: yes', 'description: on')?.values).toEqual({ name: 'yes', description: 'on' });
  });

  it.each<[string, string[], Record<string, unknown>, [string, number][]]>([
    [
      'a colon in plain text',
      ['name: a', 'description: Use: often'],
      { name: 'a', description: 'Use: often' },
      [['description', 3]],
    ],
    [
      'continuation lines without indentation',
      ['description: First', 'Context: second', 'user: "third" more', 'name: a'],
      { description: 'First\nContext: second\nuser: "third" more', name: 'a' },
      [['description', 2]],
    ],
    [
      'a block whose lines are not indented',
      ['name: a: b', 'description: |', 'text: x', '', 'more'],
      { name: 'a: b', description: 'text: x\n\nmore' },
      [
        ['name', 2],
        ['description', 3],
      ],
    ],
    [
      'quotes in quotes',
      ['description: "a "b" c"', 'name: x'],
      { description: 'a "b" c', name: 'x' },
      [['description', 2]],
    ],
    ['an open quote', ['name: "a', 'description: b'], { name: '"a', description: 'b' }, [['name', 2]]],
    [
      'characters that YAML reserves',
      ['name: a', 'description: @home % `x`: y'],
      { name: 'a', description: '@home % `x`: y' },
      [['description', 3]],
    ],
    [
      'a tab',
      ['name: a', 'tools:', '\t- Read: x', 'description: b'],
      { name: 'a', tools: '- Read: x', description: 'b' },
      [['tools', 3]],
    ],
    ['a repeated key', ['name: a', 'name: b'], { name: 'a' }, [['name', 3]]],
    ['words before the first key', ['once upon: a: time', 'name: a'], { name: 'a' }, [['frontmatter', 2]]],
    [
      'an alias bomb',
      ['a: &a [x, x]', 'b: &b [*a, *a, *a, *a, *a, *a]', 'c: &c [*b, *b, *b, *b]', 'name: [*c, *c, *c, *c]'],
      { name: '[*c, *c, *c, *c]' },
      [
        ['a', 2],
        ['b', 3],
        ['c', 4],
        ['name', 5],
      ],
    ],
  ])('reads %s line by line and reports the keys', (_, lines, values, faults) => {
    const frontmatter = read(...lines);
    expect(frontmatter?.values).toEqual(values);
    expect(frontmatter?.faults.map(({ key, line }) => [key, line])).toEqual(faults);
    expect(frontmatter?.body).toBe('Body');
  });

  it('keeps lists and quotes of the entries that are valid', () => {
    const frontmatter = read('description: Use: x', 'tools: ["Read", "Grep"]', "name: 'quoted'", 'model: sonnet');
    expect(frontmatter?.values).toEqual({
      description: 'Use: x',
      tools: ['Read', 'Grep'],
      name: 'quoted',
      model: 'sonnet',
    });
  });

  it.each([
    ['is absent', 'Body'],
    ['is not closed', '---\nname: a\n'],
    ['is not at the beginning', '\n---\nname: a\n---\n'],
    ['is too long', `---\nname: ${'x'.repeat(70_000)}\n---\n`],
  ])('finds no frontmatter when it %s', (_, text) => {
    expect(readFrontmatter(text)).toBeUndefined();
  });

  it('ignores a byte order mark, Windows line ends and trailing blanks', () => {
    expect(readFrontmatter('\uFEFF---  \r\nname: a\r\n--- \r\nB\r\nC')).toEqual({
      values: { name: 'a' },
      body: 'B\nC',
      faults: [],
    });
  });

  it('returns no values for an empty block', () => {
    expect(readFrontmatter('---\n---\nB')).toEqual({ values: {}, body: 'B', faults: [] });
  });
});
