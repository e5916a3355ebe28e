import { describe, expect, it } from '@jest/globals';
import type { ApiOperation, OpenApiDocument } from '../document.js';
import { toSnakeCase, writePythonMethods } from './write-methods.js';

const json = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });

/** The methods of one operation, without the text around them. */
function writeOne(
  path: string,
  httpMethod: string,
  operation: Partial<ApiOperation>,
  flavor: 'sync' | 'async' = 'sync',
): string[] {
  const document: OpenApiDocument = {
    paths: {
      [path]: { [httpMethod]: { operationId: 'doIt', responses: { 200: { content: json('Thing') } }, ...operation } },
    },
    components: {
      schemas: {
        Thing: { type: 'object', properties: {} },
        Page: {
          type: 'object',
          properties: {
            things: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
            next_cursor: { type: 'string' },
          },
        },
        Streamable: { type: 'object', properties: { stream: { type: 'boolean' } } },
        Speech: { type: 'object', properties: { stream_format: { enum: ['audio', 'sse'] } } },
      },
      parameters: { Key: { name: 'Idempotency-Key', in: 'header' } },
    },
  };
  const methods = writePythonMethods(document, flavor).split('self._caller = caller\n')[1] ?? '';
  return methods
    .replaceAll(/\(\n\s+self,\s+/g, '(self, ')
    .replaceAll(/,\n\s+(?=\S)/g, ', ')
    .replaceAll(', ) ->', ') ->')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('"""'));
}

const options = 'options: CallOptions | None = None';

describe('writePythonMethods', () => {
  it('writes a method with the parameters of the path, the body, the query and the key', () => {
    const parameters = [
      { $ref: '#/components/parameters/Key' },
      { name: 'from', in: 'query' as const, schema: { type: 'string' } },
      { name: 'pageSize', in: 'query' as const, required: true, schema: { type: 'integer' } },
    ];
    const requestBody = { required: true, content: json('Thing') };
    expect(writeOne('/projects/{id}/things/{thing_id}', 'put', { parameters, requestBody })).toEqual([
      `def do_it(self, project_id: str, thing_id: str, body: types.Thing, *, from_: str | None = None, page_size: int, ${options}) -> types.Thing:`,
      'return cast("types.Thing", self._caller.call(ApiRequest("PUT", fill_path("/projects/{id}/things/{thing_id}", project_id, thing_id), query={"from": from_, "pageSize": page_size}, body=body, key_in="header"), options))',
    ]);
  });

  it('writes pages', () => {
    const parameters = [{ name: 'cursor', in: 'query' as const, schema: { type: 'string' } }];
    expect(writeOne('/things', 'get', { parameters, responses: { 200: { content: json('Page') } } })).toEqual([
      `def do_it(self, *, cursor: str | None = None, ${options}) -> Pages[types.Page, types.Thing]:`,
      'return Pages(self._caller, ApiRequest("GET", "/things", query={"cursor": cursor}), "things", "cursor", options)',
    ]);
  });

  it('writes one method for the plain answer and one for the stream', () => {
    const stream = { 'text/event-stream': { schema: { $ref: '#/components/schemas/Event' } } };
    const requestBody = { required: true, content: json('Streamable') };
    const responses = { 200: { content: { ...json('Thing'), ...stream } } };
    expect(writeOne('/things', 'post', { requestBody, responses })).toEqual([
      `def do_it(self, body: types.Streamable, *, ${options}) -> types.Thing:`,
      'return cast("types.Thing", self._caller.call(ApiRequest("POST", "/things", body=body), options))',
      `def do_it_stream(self, body: types.Streamable, *, ${options}) -> EventStream[types.Event]:`,
      'return self._caller.stream(ApiRequest("POST", "/things", body={**body, "stream": True}, accept="text/event-stream"), options)',
    ]);
  });

  it('asks for the stream in the field of a body or of a form', () => {
    const responses = { 200: { content: { 'audio/*': {}, 'text/event-stream': {} } } };
    const speech = { required: true, content: json('Speech') };
    expect(writeOne('/things', 'post', { requestBody: speech, responses })[3]).toContain(
      'body={**body, "stream_format": "sse"}',
    );
    const schema = { $ref: '#/components/schemas/Streamable' };
    const form = { required: true, content: { 'multipart/form-data': { schema } } };
    expect(writeOne('/things', 'post', { requestBody: form, responses })[3]).toContain(
      'form={**form, "stream": "true"}',
    );
  });

  it('writes methods that are awaited, and pages and streams that are not', () => {
    const requestBody = { required: true, content: json('Streamable') };
    const stream = { 'text/event-stream': { schema: { $ref: '#/components/schemas/Event' } } };
    const responses = { 200: { content: { ...json('Thing'), ...stream } } };
    const [plain, call, streamed] = writeOne('/things', 'post', { requestBody, responses }, 'async');
    expect(plain).toMatch(/^async def do_it\(/);
    expect(call).toMatch(/^return cast\("types.Thing", await self\._caller\.call\(/);
    expect(streamed).toMatch(/^def do_it_stream\(.* -> AsyncEventStream\[types\.Event\]:$/);
    const parameters = [{ name: 'cursor', in: 'query' as const, schema: { type: 'string' } }];
    const listing = { parameters, responses: { 200: { content: json('Page') } } };
    expect(writeOne('/things', 'get', listing, 'async')).toEqual([
      `def do_it(self, *, cursor: str | None = None, ${options}) -> AsyncPages[types.Page, types.Thing]:`,
      'return AsyncPages(self._caller, ApiRequest("GET", "/things", query={"cursor": cursor}), "things", "cursor", options)',
    ]);
  });

  it.each<[string, Partial<ApiOperation>, string]>([
    ['an answer without content', { responses: { 204: {} } }, ') -> None:'],
    ['a file', { responses: { 200: { content: { 'audio/*': {} } } } }, ') -> bytes:'],
    ['a form', { requestBody: { content: { 'multipart/form-data': {} } } }, 'def do_it(self, form: Form, *'],
    ['an optional body', { requestBody: { content: json('Thing') } }, 'body: types.Thing | None = None'],
  ])('writes %s', (_what, operation, expected) => {
    expect(writeOne('/things', 'post', operation)[0]).toContain(expected);
  });
});

describe('toSnakeCase', () => {
  it.each([
    ['createAPIKey', 'create_api_key'],
    ['startOAuth', 'start_oauth'],
    ['getMyUsage', 'get_my_usage'],
    ['listV1Models', 'list_v1_models'],
  ])('writes %s as %s', (name, expected) => {
    expect(toSnakeCase(name)).toBe(expected);
  });
});
