import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { RouteDoc } from '../exchange/route-doc.js';
import { vendorErrorShape } from '../paths.js';
import { routes } from '../routes/index.js';
import { openApiDocument } from './openapi.js';
import { refusalStatuses } from './openapi-answers.js';

type Json = Record<string, never>;
const base = { tag: 'T', summary: 'S', auth: ['owner'], success: { status: 200 } } as const;
const document = (...docs: RouteDoc[]) => openApiDocument(docs) as never as Record<string, Json>;

describe('openApiDocument', () => {
  it('describes parameters, body, answer, credentials and errors', () => {
    const doc = document({
      ...base,
      method: 'POST',
      path: '/things/:id/parts',
      auth: ['secret_key', 'customer'],
      params: z.object({ id: z.guid() }),
      query: z.object({ limit: z.coerce.number().int().default(50), to: z.string() }),
      body: z.object({ name: z.string() }),
      success: { status: 201, schema: z.object({ ok: z.boolean() }) },
      idempotent: true,
      cacheable: true,
    });
    expect(doc.paths!['/api/v1/things/{id}/parts']).toMatchObject({
      post: {
        security: [{ secretKey: [] }, { customerToken: [] }],
        parameters: [
          { name: 'id', in: 'path', required: true },
          { name: 'limit', in: 'query', required: false },
          { name: 'to', in: 'query', required: true },
          { $ref: '#/components/parameters/ServiceCustomerId' },
          { $ref: '#/components/parameters/IdempotencyKey' },
          { $ref: '#/components/parameters/ServiceCache' },
        ],
        requestBody: {
          description: 'At most 1048576 bytes, 200000 members and elements, and 40000 members of objects.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateThingPartsRequest' } } },
        },
        responses: {
          201: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateThingPartsResult' } } },
          },
          400: { $ref: '#/components/responses/native400' },
        },
      },
    });
    expect(doc.components!.schemas).toMatchObject({
      CreateThingPartsRequest: { required: ['name'] },
      CreateThingPartsResult: { required: ['ok'] },
    });
    expect(doc.components!.responses).toMatchObject({
      native400: { content: { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } } },
      native429: { content: { 'text/plain': { schema: { type: 'string' }, example: 'rate limit exceeded' } } },
    });
  });

  describe('the refusals of a route', () => {
    const statuses = (doc: Partial<RouteDoc>) => refusalStatuses({ ...base, method: 'GET', path: '/things', ...doc });

    it.each<[string, Partial<RouteDoc>, number[]]>([
      ['without credentials', { auth: 'none' }, [400]],
      ['for owners', {}, [400, 401, 403]],
      ['that ignores unknown query parameters', { ignoresUnknownQuery: true }, [401, 403]],
      ['with a query', { query: z.object({}) }, [400, 401, 403]],
      ['that names one resource', { path: '/things/:id' }, [400, 401, 403, 404]],
      ['for secret keys', { auth: ['secret_key'] }, [400, 401, 403, 404]],
      ['with a body', { method: 'POST' }, [400, 401, 403, 413]],
      ['that is idempotent', { method: 'POST', idempotent: true }, [400, 401, 403, 409, 413]],
      ['with refusals of its own', { refusals: [402, 410] }, [400, 401, 402, 403, 410]],
    ])('lists the statuses of a route %s', (_, doc, expected) => {
      expect(statuses(doc)).toEqual([...expected, 429, 500, 503]);
    });
  });

  it.each([
    ['simple', 400, ['SimpleError']],
    ['images', 400, ['ImagesError']],
    ['images', 404, ['ApiError']],
    ['openai', 429, ['OpenAiError']],
    ['anthropic', 500, ['AnthropicError']],
    ['vendors', 401, ['OpenAiError', 'AnthropicError']],
  ] as const)('describes errors of the shape %s, status %d, as %j', (shape, status, names) => {
    const errorShape = shape === 'vendors' ? vendorErrorShape : shape;
    const doc = document({ ...base, method: 'POST', path: '/things/:id', errorShape });
    const text = JSON.stringify(doc.components!.responses![`${shape}${status}`]);
    expect([...text.matchAll(/schemas\/(\w+)/g)].map((match) => match[1])).toEqual(names);
  });

  it('joins further forms of an answer to the first', () => {
    const doc = document({
      ...base,
      method: 'GET',
      path: '/things',
      query: z.object({}),
      success: { status: 200, schema: z.string() },
      alsoAnswers: [
        { status: 200, contentType: 'text/event-stream' },
        { status: 303 },
        { status: 400, schema: z.object({ error: z.literal('later') }) },
      ],
    });
    expect(doc.paths!['/api/v1/things']).toMatchObject({
      get: {
        responses: {
          200: { content: { 'application/json': { schema: { type: 'string' } }, 'text/event-stream': {} } },
          303: { description: expect.any(String) },
          400: {
            content: {
              'application/json': {
                schema: {
                  anyOf: [
                    { $ref: '#/components/schemas/ApiError' },
                    { $ref: '#/components/schemas/ListThingsRefusal' },
                  ],
                },
              },
            },
          },
        },
      },
    });
  });

  it('moves recursive schemas to the components', () => {
    type Tree = { children: Tree[] };
    const tree: z.ZodType<Tree> = z.lazy(() => z.object({ children: z.array(tree) }));
    const doc = document({ ...base, method: 'POST', path: '/trees', body: z.object({ root: tree }) });
    const refs = [...JSON.stringify(doc).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!);
    expect(refs.length).toBeGreaterThan(1);
    for (const ref of refs) expect(doc).toHaveProperty(ref.split('/').slice(1));
  });

  it('describes every route under a unique operation id', () => {
    const doc = openApiDocument(routes) as { paths: Record<string, Record<string, { operationId: string }>> };
    const ids = Object.values(doc.paths).flatMap((path) =>
      Object.values(path).map((operation) => operation.operationId),
    );
    expect(ids).toHaveLength(routes.length);
    expect(new Set(ids).size).toBe(ids.length);
    expect(JSON.stringify(doc)).not.toContain('#/$defs');
  });
});
