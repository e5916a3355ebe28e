import { nextCursor } from '@tollgate/api/values';
import type { Call } from '@tollgate/rpc';
import type { z } from 'zod';
import type { Context } from '../../context.js';
import { defineRoute, type Route } from '../exchange/route.js';

interface Page {
  limit: number;
  offset: number;
}

interface CustomerListRoute {
  path: string;
  tag: string;
  operationId: string;
  summary: string;
  description: string;
  query: z.ZodType<Page>;
  response: z.ZodType;
  /** Name of the list in the response. */
  field: string;
  read(page: Page, call: Call, ctx: Pick<Context, 'clients'>): Promise<{ rows: unknown[]; hasMore: boolean }>;
}

/** Defines a route that lists what a customer owns, for the customer itself and for the project. */
export function customerListRoute({ response, field, read, ...route }: CustomerListRoute): Route {
  return defineRoute({
    method: 'GET',
    ...route,
    auth: ['secret_key', 'owner', 'customer'],
    success: { status: 200, schema: response },
    async handler({ query: { limit, offset }, call }, ctx) {
      const { rows, hasMore } = await read({ limit, offset }, call, ctx);
      return { body: { [field]: rows, ...nextCursor(offset, rows.length, hasMore) } };
    },
  });
}
