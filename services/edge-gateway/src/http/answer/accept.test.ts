import { describe, expect, it } from '@jest/globals';
import { prefersHtml, readPreference } from './accept.js';

describe('readPreference', () => {
  it.each([
    [undefined, 1, false],
    ['*/*', 1, false],
    ['text/*;q=0.4', 0.4, false],
    ['text/csv', 1, true],
    ['TEXT/CSV;Q=0.25', 0.25, true],
    ['text/csv;q=0, */*', 0, true],
    ['text/*;q=0.1, */*;q=0.9', 0.1, false],
    ['text/csv;q=x', 0, true],
    ['text/csv;q=2', 0, true],
    ['text/csv;q=-1', 0, true],
    ['application/json', 0, false],
  ])('reads %j', (accept, weight, isNamed) => {
    expect(readPreference(accept, 'text/csv')).toEqual({ weight, isNamed });
  });
});

describe('prefersHtml', () => {
  it.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['text/html', true],
    ['text/html, application/json', true],
    ['text/html;q=0.1, application/json;q=0.9', false],
    ['text/html;q=0.1, */*', false],
    ['text/html;q=0', false],
    ['application/json', false],
    ['*/*', false],
    ['', false],
    [undefined, false],
  ])('reads %j as %p', (accept, expected) => {
    expect(prefersHtml(accept)).toBe(expected);
  });
});
