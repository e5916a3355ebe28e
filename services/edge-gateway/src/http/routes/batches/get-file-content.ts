import { fileParams } from '@tollgate/api/compatible';
import type { ReadFileResponse } from '@tollgate/contracts/workflow/v1/batches_pb.js';
import { AppError } from '@tollgate/errors';
import { defineRoute } from '../../exchange/route.js';

const TIMEOUT_MS = 600_000;

export const getFileContent = defineRoute({
  method: 'GET',
  path: '/v1/files/:file_id/content',
  tag: 'Compatible endpoints',
  summary: 'Download a file',
  operationId: 'getFileContent',
  description: 'Answers with the bytes of the file. The lines of a batch’s files are in the order of its input.',
  auth: ['secret_key', 'customer'],
  params: fileParams,
  success: { status: 200, contentType: 'application/octet-stream' },
  errorShape: 'openai',
  timeoutMs: TIMEOUT_MS,
  async handler({ params, call }, ctx) {
    const frames = ctx.clients.files.readFile({ id: params.file_id }, call)[Symbol.asyncIterator]();
    // An error before the first part is still a plain response.
    const first = await frames.next();
    if (first.done) throw new AppError('INTERNAL_ERROR', 'internal error');
    return { headers: { 'Content-Type': 'application/octet-stream' }, chunks: readParts(first.value, frames) };
  },
});

async function* readParts(first: ReadFileResponse, rest: AsyncIterator<ReadFileResponse>): AsyncGenerator<Uint8Array> {
  try {
    for (let frame = first; ; ) {
      yield frame.body;
      if (frame.isLast) return;
      const next = await rest.next();
      // Only the last frame ends the file, so that a truncated stream does not look complete.
      if (next.done) throw new AppError('SERVICE_UNAVAILABLE', 'the file ended early');
      frame = next.value;
    }
  } finally {
    await rest.return?.();
  }
}
