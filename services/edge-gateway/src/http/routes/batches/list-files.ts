import { listFilesQuery, listFilesResponse } from '@tollgate/api/compatible';
import { defineRoute } from '../../exchange/route.js';
import { fileJson, pageJson } from './file-json.js';

export const listFiles = defineRoute({
  method: 'GET',
  path: '/v1/files',
  tag: 'Compatible endpoints',
  summary: 'List uploaded files and files of batches',
  operationId: 'listFiles',
  description:
    'Newest first, unless `order` is `asc`. A customer lists its own files, a project also those of its customers.',
  auth: ['secret_key', 'customer'],
  query: listFilesQuery,
  success: { status: 200, schema: listFilesResponse },
  errorShape: 'openai',
  async handler({ query, call }, ctx) {
    const { purpose = '', limit, after = '', order } = query;
    const page = await ctx.clients.files.listFiles({ purpose, limit, after, isAscending: order === 'asc' }, call);
    return { body: pageJson(page.files.map(fileJson), page.hasMore) };
  },
});
