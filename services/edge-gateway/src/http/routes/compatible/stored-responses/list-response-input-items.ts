import { listResponseInputItemsQuery, listResponseInputItemsResponse } from '@tollgate/api/compatible';
import { defineRoute } from '../../../exchange/route.js';
import { storedResponseParams } from './params.js';

export const listResponseInputItems = defineRoute({
  method: 'GET',
  path: '/v1/responses/:response_id/input_items',
  tag: 'Compatible endpoints',
  summary: 'List the items that a stored response was made of',
  operationId: 'listResponseInputItems',
  description:
    'Includes the items of the responses that it continues. Newest first, unless `order` is `asc`. A background response has them once it is complete.',
  auth: ['secret_key', 'customer'],
  params: storedResponseParams,
  query: listResponseInputItemsQuery,
  success: { status: 200, schema: listResponseInputItemsResponse },
  errorShape: 'openai',
  async handler({ params, query, call }, ctx) {
    const { itemsJson, hasMore } = await ctx.clients.storedResponses.listInputItems(
      {
        responseId: params.response_id,
        limit: query.limit,
        after: query.after ?? '',
        isDescending: query.order === 'desc',
      },
      call,
    );
    const data = itemsJson.map((item) => JSON.parse(Buffer.from(item).toString('utf8')) as { id: string });
    return {
      body: {
        object: 'list',
        data,
        first_id: data[0]?.id ?? null,
        last_id: data.at(-1)?.id ?? null,
        has_more: hasMore,
      },
    };
  },
});
