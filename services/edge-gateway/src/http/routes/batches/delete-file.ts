import { deleteFileResponse, fileParams } from '@tollgate/api/compatible';
import { defineRoute } from '../../exchange/route.js';

export const deleteFile = defineRoute({
  method: 'DELETE',
  path: '/v1/files/:file_id',
  tag: 'Compatible endpoints',
  summary: 'Delete a file',
  operationId: 'deleteFile',
  description: 'A batch that has started continues without its input file.',
  auth: ['secret_key', 'customer'],
  params: fileParams,
  success: { status: 200, schema: deleteFileResponse },
  errorShape: 'openai',
  async handler({ params: { file_id: id }, call }, ctx) {
    await ctx.clients.files.deleteFile({ id }, call);
    return { body: { id, object: 'file', deleted: true } };
  },
});
