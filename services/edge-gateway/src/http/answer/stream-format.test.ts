import { describe, expect, it } from '@jest/globals';
import { chooseAnswerFormat, chooseStreamFormat } from './stream-format.js';

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
