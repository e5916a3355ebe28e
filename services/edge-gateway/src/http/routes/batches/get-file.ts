import { fileObjectSchema, fileParams } from '@tollgate/api/compatible';
import { defineRoute } from '../../exchange/route.js';
import { fileJson } from './file-json.js';

export const getFile = defineRoute({
  method: 'GET',
  path: '/v1/files/:file_id',
  tag: 'Compatible endpoints',
  summary: 'Get a file without its content',
  operationId: 'getFile',
  description: 'A customer reads its own files, a project also those of its customers.',
  auth: ['secret_key', 'customer'],
  params: fileParams,
  success: { status: 200, schema: fileObjectSchema },
  errorShape: 'openai',
  async handler({ params, call }, ctx) {
    const { file } = await ctx.clients.files.getFile({ id: params.file_id }, call);
    return { body: fileJson(file) };
  },
});
