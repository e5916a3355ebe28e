import { describe, expect, it } from '@jest/globals';
import type { ApiOperation, OpenApiDocument } from './document.js';
import { writeOperations } from './write-operations.js';

const json = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });

/** The method of one operation, without the comment. */
function writeOne(path: string, httpMethod: string, operation: Partial<ApiOperation>): string[] {
  const document: OpenApiDocument = {
    paths: {
      [path]: { [httpMethod]: { operationId: 'op', responses: { 200: { content: json('Thing') } }, ...operation } },
    },
    webhooks: {
      'thing.made': { post: { operationId: 'w', responses: {}, requestBody: { content: json('ThingEvent') } } },
    },
    components: {
      schemas: {
        Thing: { type: 'object', properties: {} },
        Page: { type: 'object', properties: { things: { type: 'array' }, next_cursor: { type: 'string' } } },
        Streamable: { type: 'object', properties: { stream: { type: 'boolean' } } },
        Speech: { type: 'object', properties: { stream_format: { enum: ['audio', 'sse'] } } },
        Run: { type: 'object', properties: { options: { $ref: '#/components/schemas/RunOptions' } } },
        RunOptions: { type: 'object', properties: { idempotency_key: { type: 'string' } } },
      },
      parameters: { Key: { name: 'Idempotency-Key', in: 'header' } },
    },
  };
  const text = writeOperations(document);
  expect(text).toContain("export type WebhookEvent =\n  | components['schemas']['ThingEvent'];");
  const methods = text.slice(text.indexOf('this.caller = caller;')).split('\n').slice(2);
  return methods.map((line) => line.trim()).filter((line) => line !== '' && line !== '}' && !line.startsWith('/**'));
}

describe('writeOperations', () => {
  it('writes a method with the parameters of the path, the body and the key', () => {
    const parameters = [{ $ref: '#/components/parameters/Key' }];
    const requestBody = { required: true, content: json('Thing') };
    expect(writeOne('/projects/{id}/things/{thing_id}', 'put', { parameters, requestBody })).toEqual([
      "op(projectId: string, thingId: string, body: Body<'op'>, options?: CallOptions): Promise<Answer<'op', 200>> {",
      "return this.caller.call({ method: 'PUT', path: fillPath('/projects/{id}/things/{thing_id}', [projectId, thingId]), body, keyIn: 'header' }, options);",
    ]);
  });

  it('writes pages', () => {
    const parameters = [{ name: 'cursor', in: 'query' as const }];
    expect(writeOne('/things', 'get', { parameters, responses: { 200: { content: json('Page') } } })).toEqual([
      "op(query?: Query<'op'>, options?: CallOptions): Pages<Answer<'op', 200>, PageItem<Answer<'op', 200>, 'things'>> {",
      "return this.caller.pages<Answer<'op', 200>, 'things'>({ method: 'GET', path: '/things', query }, 'things', 'cursor', options);",
    ]);
  });

  it('writes one method for the plain answer and one for the stream', () => {
    const content = { ...json('Thing'), 'text/event-stream': {} };
    const requestBody = { required: true, content: json('Streamable') };
    expect(writeOne('/things', 'post', { requestBody, responses: { 200: { content } } })).toEqual([
      "op(body: Omit<Body<'op'>, 'stream'>, options?: CallOptions): Promise<Answer<'op', 200>> {",
      "return this.caller.call({ method: 'POST', path: '/things', body }, options);",
      "opStream(body: Omit<Body<'op'>, 'stream'>, options?: CallOptions): EventStream<EventIn<'op', 'text/event-stream'>> {",
      "return this.caller.stream({ method: 'POST', path: '/things', body: { ...body, stream: true }, accept: 'text/event-stream' }, options);",
    ]);
  });

  it('asks for the stream in the field of a body or of a form', () => {
    const responses = { 200: { content: { 'audio/*': {}, 'text/event-stream': {} } } };
    const speech = { required: true, content: json('Speech') };
    expect(writeOne('/things', 'post', { requestBody: speech, responses })[3]).toContain(
      "body: { ...body, stream_format: 'sse' },",
    );
    const schema = { $ref: '#/components/schemas/Streamable' };
    const form = { required: true, content: { 'multipart/form-data': { schema } } };
    expect(writeOne('/things', 'post', { requestBody: form, responses })[3]).toContain(
      "body: withField(body, 'stream', 'true'),",
    );
  });

  it.each<[string, Partial<ApiOperation>, string]>([
    ['an answer without content', { responses: { 204: {} } }, 'op(options?: CallOptions): Promise<void> {'],
    ['a file', { responses: { 200: { content: { 'audio/*': {} } } } }, 'op(options?: CallOptions): Promise<Blob> {'],
    [
      'a form',
      { requestBody: { required: true, content: { 'multipart/form-data': {} } } },
      "op(body: FormData, options?: CallOptions): Promise<Answer<'op', 200>> {",
    ],
    [
      'a required query',
      { parameters: [{ name: 'q', in: 'query', required: true }] },
      "op(query: Query<'op'>, options?: CallOptions): Promise<Answer<'op', 200>> {",
    ],
  ])('writes %s', (_what, operation, expected) => {
    expect(writeOne('/things', 'post', operation)[0]).toBe(expected);
  });

  it('finds the key of a run in its options', () => {
    const requestBody = { required: true, content: json('Run') };
    expect(writeOne('/runs', 'post', { requestBody })[1]).toContain("keyIn: 'options'");
  });

  it.each<Partial<ApiOperation>>([
    { responses: { 303: {} } },
    { responses: { 200: { content: { 'text/html': {} } } } },
    { operationId: 'receiveStripeWebhook' },
  ])('leaves out what is for browsers: %j', (operation) => {
    expect(writeOne('/things', 'get', operation)).toEqual([]);
  });
});
