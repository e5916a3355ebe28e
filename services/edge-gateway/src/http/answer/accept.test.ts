import { describe, expect, it } from '@jest/globals';
import { chooseAnswerFormat, chooseStreamFormat, prefersHtml, readPreference } from './accept.js';

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

describe('chooseStreamFormat', () => {
  it.each([
    [undefined, undefined],
    ['*/*', undefined],
    ['application/json', undefined],
    ['application/x-ndjson', 'ndjson'],
    ['application/x-ndjson; profile="responses-stream/v2"', 'ndjson'],
    ['Text/Event-Stream', 'sse'],
    ['application/json, text/event-stream;q=0.9', 'sse'],
    ['text/event-stream, application/x-ndjson', 'sse'],
    ['text/event-stream;q=0.5, application/x-ndjson; profile=responses-stream/v2;q=0.8', 'ndjson'],
    ['text/event-stream;q=0', undefined],
    ['application/json, text/event-stream; q=0.000, application/x-ndjson;q=0', undefined],
    ['text/event-stream;q=0, application/x-ndjson;q=0.1', 'ndjson'],
    ['application/x-ndjson; profile="responses-stream/v1"', undefined],
    ['application/x-ndjson; Profile=responses-stream/v1, text/event-stream', 'sse'],
    ['text/event-stream-x', undefined],
  ])('reads %j as %s', (accept, format) => {
    expect(chooseStreamFormat(accept)).toBe(format);
  });
});

describe('chooseAnswerFormat', () => {
  it.each([
    ['text/event-stream;q=0.1, application/json;q=0.9', undefined],
    ['application/json, text/event-stream;q=0.9', undefined],
    ['text/event-stream;q=0.5, */*', undefined],
    ['text/event-stream;q=0.5, application/*;q=0.6', undefined],
    ['application/json, text/event-stream', 'sse'],
    ['text/event-stream, */*', 'sse'],
    ['text/event-stream;q=0.9, application/json;q=0.1', 'sse'],
    ['application/x-ndjson;q=0.2, text/event-stream;q=0.1', 'ndjson'],
    ['application/json', undefined],
    ['*/*', undefined],
    [undefined, undefined],
  ])('reads %j as %s', (accept, format) => {
    expect(chooseAnswerFormat(accept)).toBe(format);
  });
});
