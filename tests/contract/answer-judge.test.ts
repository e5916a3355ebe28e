import { describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '@tollgate/testkit';
import { listOperations } from '../system/api-document.js';
import { answerJudge } from './answer-judge.js';

const event = { type: 'object', properties: { seq: { type: 'integer' } }, required: ['seq'] };
const document = {
  paths: {
    '/events': {
      get: {
        security: [],
        responses: {
          200: {
            content: {
              'application/json': { schema: event },
              'application/x-ndjson': { schema: { $ref: '#/components/schemas/Event' } },
              'text/event-stream': { schema: { $ref: '#/components/schemas/Event' } },
            },
          },
        },
      },
    },
  },
  components: { schemas: { Event: event } },
};
const [operation] = listOperations(document);
const judge = answerJudge(document);

function findFaults(type: string, text: string): string[] {
  const answer: ApiResponse = { status: 200, headers: { 'content-type': type }, requestId: 'r', text, body: undefined };
  return judge(operation!, answer);
}

describe('an answer', () => {
  it.each([
    ['application/json', '{"seq":1}'],
    ['application/x-ndjson; profile="x"', '{"seq":1}\n\n{"seq":2}\n'],
    ['application/x-ndjson', ''],
    ['text/event-stream; charset=utf-8', 'id: 1\ndata: {"seq":1}\n\n: keepalive\n\ndata: [DONE]\n\n'],
  ])('accepts as %s what the document promises: %j', (type, text) => {
    expect(findFaults(type, text)).toEqual([]);
  });

  it.each([
    ['application/json', '{"seq":"1"}', 'does not fit'],
    ['application/json', '{"seq":1,"more":2}', 'does not fit'],
    ['application/json', '', 'is not JSON'],
    ['application/x-ndjson', '{"seq":1}\n{"seq":"2"}\n', 'does not fit'],
    ['application/x-ndjson', '{"seq":1}\n{"se', 'is not JSON'],
    ['text/event-stream', 'data: {"seq":1}\n\ndata: {}\n\n', 'does not fit'],
    ['text/event-stream', 'data: nothing\n\n', 'is not JSON'],
    ['text/html', '<p>', 'content type text/html'],
  ])('reports a fault in %s: %j', (type, text, fault) => {
    expect(findFaults(type, text)).toEqual([expect.stringContaining(fault)]);
  });
});
