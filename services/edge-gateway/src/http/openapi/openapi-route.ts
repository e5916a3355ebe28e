import { z } from 'zod';
import { defineRoute, type Route } from '../exchange/route.js';
import type { RouteDoc } from '../exchange/route-doc.js';
import { openApiDocument } from './openapi.js';

/** `GET /openapi.json`. Writes the document on first use and keeps it. */
export function openApiRoute(routes: readonly RouteDoc[], turns: readonly RouteDoc[]): Route {
  let text: string | undefined;
  const route: Route = defineRoute({
    method: 'GET',
    path: '/openapi.json',
    tag: 'Meta',
    operationId: 'getOpenApiDocument',
    summary: 'This API as an OpenAPI 3.1 document',
    description: 'Made from the schemas that validate requests and answers. `/docs` shows it as a page.',
    auth: 'none',
    success: { status: 200, schema: z.looseObject({ openapi: z.string() }) },
    handler: async (_input, ctx) => {
      text ??= JSON.stringify(openApiDocument([...turns, ...routes, route], ctx.config.publicBaseUrl));
      return { body: text, headers: { 'Cache-Control': 'public, max-age=300' } };
    },
  });
  return route;
}
