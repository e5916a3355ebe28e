import { describe, expect, it } from '@jest/globals';
import { toToolOutput } from './tool-output.js';

const text = (value: string) => ({ type: 'text', text: value });

describe('toToolOutput', () => {
  it.each<[string, unknown, unknown]>([
    ['text', { content: [text('a'), text('b')] }, 'a\nb'],
    ['structured content', { content: [text('{}')], structuredContent: { a: 1 } }, { a: 1 }],
    ['an error object', { structuredContent: { error: { code: 'SLOW', at: 1 } } }, { error: { code: 'SLOW', at: 1 } }],
    [
      'a code of ours',
      { structuredContent: { error: { code: 'HOOK_FAILED' } } },
      { error: { code: 'PROVIDER_ERROR' } },
    ],
    ['an embedded text', { content: [{ type: 'resource', resource: { uri: 'x:y', text: 't' } }] }, 't'],
    ['a link', { content: [{ type: 'resource_link', uri: 'x:y', name: 'n' }] }, 'x:y'],
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
