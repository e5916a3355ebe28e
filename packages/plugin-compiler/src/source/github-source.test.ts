import { describe, expect, it } from '@jest/globals';
import { parseGithubSource } from './github-source.js';

describe('parseGithubSource', () => {
  it.each([
    ['github:owner/repo', { owner: 'owner', repo: 'repo', path: '', ref: 'main' }],
    ['github:Some-Owner/my.repo_1', { owner: 'Some-Owner', repo: 'my.repo_1', path: '', ref: 'main' }],
    ['github:o/r/plugins/a b', { owner: 'o', repo: 'r', path: 'plugins/a b', ref: 'main' }],
    ['github:o/r@v1.2.3', { owner: 'o', repo: 'r', path: '', ref: 'v1.2.3' }],
    ['github:o/r/p@feature/x', { owner: 'o', repo: 'r', path: 'p', ref: 'feature/x' }],
    ['github:o/r/p@pkg@1.0.0', { owner: 'o', repo: 'r', path: 'p', ref: 'pkg@1.0.0' }],
    [
      'github:o/r/.claude/x@0123456789012345678901234567890123456789',
      { owner: 'o', repo: 'r', path: '.claude/x', ref: '0123456789012345678901234567890123456789' },
    ],
  ])('reads %s', (source, parsed) => {
    expect(parseGithubSource(source)).toEqual(parsed);
  });

  it.each([
    '',
    'github:',
    'github:owner',
    'github:owner/',
    'github:/repo',
    'gitlab:o/r',
    'GitHub:o/r',
    'https://github.com/o/r',
    'o/r',
    ' github:o/r',
    'github:o/r ',
    'github:o/r/',
    'github:o//r',
    'github:o/r//p',
    'github:o/r/p/',
    'github:-o/r',
    'github:o_o/r',
    `github:${'o'.repeat(40)}/r`,
    `github:o/${'r'.repeat(101)}`,
    'github:o/..',
    'github:o/.',
    'github:../r',
    'github:o/r/../x',
    'github:o/r/./x',
    'github:o/r/a\\b',
    'github:o/r/a%2e%2e/b',
    'github:o/r/a?b',
    'github:o/r/a#b',
    'github:o/r/a\nb',
    'github:o/r@',
    'github:o/r@a b',
    'github:o/r@a..b',
    'github:o/r@/a',
    'github:o/r@a/',
    'github:o/r@a//b',
    'github:o/r@-a',
    'github:o/r@a.lock',
    'github:o/r@.a',
    'github:o/r@a.',
    'github:o/r@a~1',
    'github:o/r@a^',
    'github:o/r@a:b',
    'github:o/r@a*',
    'github:o/r@a[b',
    'github:o/r@a@{1}',
    'github:o/r@a\\b',
    'github:o/r@a%20b',
    'github:o/r@a#b',
    'github:o@evil.com/r',
    `github:o/r/${'p/'.repeat(600)}p`,
  ])('rejects %j', (source) => {
    expect(parseGithubSource(source)).toBeUndefined();
  });
});
