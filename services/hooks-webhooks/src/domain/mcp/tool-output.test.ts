import { describe, expect, it } from '@jest/globals';
import { toToolOutput } from './tool-output.js';

const text = (value: string) => ({ type: 'text', text: value });

describe('toToolOutput', () => {
  it.each<[string, unknown, unknown]>([
    ['text', { content: [text('a'), text('b')] }, 'a\nb'],
    ['structured content', { structuredContent: { a: 1 } }, { a: 1 }],
    [
      'structured content that the text repeats',
      { content: [text('{ "a": 1 }')], structuredContent: { a: 1 } },
      { a: 1 },
    ],
    ['a structured list', { content: [], structuredContent: [1, { a: null }] }, [1, { a: null }]],
    ['a text beside a structured list', { content: [text('two')], structuredContent: [1, 2] }, 'two\n[1,2]'],
    [
      'text, a link and structured content',
      { content: [text('found'), { type: 'resource_link', uri: 'x:y' }], structuredContent: { a: 1 } },
      'found\nx:y\n{"a":1}',
    ],
    ['null as absent', { content: [text('a')], structuredContent: null, isError: null, _meta: null }, 'a'],
    ['null content', { content: null, structuredContent: { a: 1 } }, { a: 1 }],
    [
      'all of an error',
      { content: [text('no')], structuredContent: { field: 'q' }, isError: true },
      { error: { code: 'PROVIDER_ERROR', message: 'no\n{"field":"q"}' } },
    ],
    [
      '1,000 parts and the number of the others',
      { content: Array(1_002).fill(text('')) },
      `${'\n'.repeat(1_000)}[2 more parts: not shown]`,
    ],
    [
      'a binary resource',
      { content: [{ type: 'resource', resource: { uri: 'x:y', blob: 'aGk=', mimeType: null } }] },
      '[resource x:y: not shown]',
    ],
    ['an error object', { structuredContent: { error: { code: 'SLOW', at: 1 } } }, { error: { code: 'SLOW', at: 1 } }],
    [
      'a code of ours',
      { structuredContent: { error: { code: 'HOOK_FAILED' } } },
      { error: { code: 'PROVIDER_ERROR' } },
    ],
    ['an embedded text', { content: [{ type: 'resource', resource: { uri: 'x:y', text: 't' } }] }, 't'],
    ['a link', { content: [{ type: 'resource_link', uri: 'x:y', name: 'n', description: 'd' }] }, 'n: x:y d'],
    ['an image', { content: [{ type: 'image', mimeType: 'image/png', data: 'aGk=' }] }, '[image image/png: not shown]'],
    ['unknown content', { content: [7, {}] }, '[unreadable content]\n[unreadable content]'],
    ['nothing', {}, ''],
    ['an error', { content: [], isError: true }, { error: { code: 'PROVIDER_ERROR', message: 'the tool failed' } }],
  ])('converts %s', (_name, result, output) => {
    expect(toToolOutput(result)).toEqual(output);
  });

  it('refuses a result that is nested too deeply to serialize', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`);
    expect(toToolOutput({ content: [], structuredContent: deep })).toMatchObject({ error: { code: 'PROVIDER_ERROR' } });
  });
});
