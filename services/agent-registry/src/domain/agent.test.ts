import { describe, expect, it } from '@jest/globals';
import { parseAgentReference } from './agent.js';

describe('parseAgentReference', () => {
  it.each([
    ['helper', { slug: 'helper', revision: undefined }],
    ['helper@1', { slug: 'helper', revision: 1 }],
    ['Re_search-2.1@2147483647', { slug: 'Re_search-2.1', revision: 2_147_483_647 }],
  ])('reads %s', (text, reference) => {
    expect(parseAgentReference(text)).toEqual(reference);
  });

  it.each([
    '',
    '@1',
    'helper@',
    'helper@0',
    'helper@01',
    'helper@-1',
    'helper@1.5',
    'helper@2147483648',
    'a b',
    'a@b@1',
  ])('rejects %j', (text) => {
    expect(parseAgentReference(text)).toBeUndefined();
  });
});
