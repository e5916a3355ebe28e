import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { openApiDocument } from './openapi.js';
import type { RouteDoc } from './route.js';
import { routes } from './routes/index.js';

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
    });
    expect(doc.paths!['/api/v1/things/{id}/parts']).toMatchObject({
      post: {
        security: [{ secretKey: [] }, { customerToken: [] }],
        parameters: [
          { name: 'id', in: 'path', required: true },
          { name: 'limit', in: 'query', required: false },
          { name: 'to', in: 'query', required: true },
          { name: 'Idempotency-Key', in: 'header' },
        ],
        requestBody: { content: { 'application/json': { schema: { required: ['name'] } } } },
        responses: {
          201: { content: { 'application/json': { schema: { required: ['ok'] } } } },
          default: { content: { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } } },
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
    for (const ref of refs) expect(doc.components!.schemas).toHaveProperty([ref.replace('#/components/schemas/', '')]);
  });

  it('describes every route of the table under an operation id of its own', () => {
    const doc = openApiDocument(routes) as { paths: Record<string, Record<string, { operationId: string }>> };
    const ids = Object.values(doc.paths).flatMap((path) =>
      Object.values(path).map((operation) => operation.operationId),
    );
    expect(ids).toHaveLength(routes.length);
    expect(new Set(ids).size).toBe(ids.length);
    expect(JSON.stringify(doc)).not.toContain('#/$defs');
  });
});
