import { createHash } from 'node:crypto';
import {
  createFileForm,
  deleteFileResponse,
  type FileObject,
  fileObjectSchema,
  fileParams,
  listFilesQuery,
  listFilesResponse,
  uploadPurposes,
} from '@tollgate/api/compatible';
import type { File, ReadFileResponse } from '@tollgate/contracts/workflow/v1/batches_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../../context.js';
import { BodyShare, overloaded } from '../../exchange/body/read-body.js';
import { receiveFile } from '../../exchange/body/receive-file.js';
import { readIdempotencyKey } from '../../exchange/idempotency-key.js';
import { defineRoute } from '../../exchange/route.js';
import { validate } from '../../exchange/validate.js';

const MIB = 1024 * 1024;
/** The vendor's limit for the input of a batch. */
const FILE_BYTES_MAX = 200 * MIB;
const PART_BYTES = MIB;
/** A part that is being filled, its copy, and buffers of the connection. */
const BYTES_IN_MEMORY = 3 * PART_BYTES;
const TIMEOUT_MS = 600_000;

/** The engine stores the idempotency key with the file: the body passes through, and is compared by its digest. */
export const createFile = defineRoute({
  method: 'POST',
  path: '/v1/files',
  tag: 'Compatible endpoints',
  summary: 'Upload a file',
  operationId: 'createFile',
  description:
    'The form has the file as `file` and its `purpose`. The input of a batch is uploaded with `batch` and has one JSON request per line. Files with `user_data`, `vision`, `assistants` and `evals` are stored and returned; requests to models cannot refer to them, and send the data itself. With an `Idempotency-Key`, a repeat of the same form within 24 hours returns the same file. Files expire after 30 days, or as `expires_after` says. A project stores at most 10,000 files and 2 GiB, each of its customers 1,000 files and 512 MiB, uploads in progress included.',
  auth: ['secret_key', 'customer'],
  forwardsIdempotencyKey: true,
  body: createFileForm,
  takesForm: true,
  formFiles: { max: 1, fields: { file: 'Bytes of the file; lines of JSON for a batch' } },
  streamsFile: { bytesMax: FILE_BYTES_MAX },
  success: { status: 200, schema: fileObjectSchema },
  refusals: [409],
  errorShape: 'openai',
  timeoutMs: TIMEOUT_MS,
  async handler({ incoming, headers, principal, call }, ctx: Pick<Context, 'bodies' | 'clients'>) {
    const idempotencyKey = readIdempotencyKey(headers) ?? '';
    const share = new BodyShare(ctx.bodies, principal);
    if (!share.take(BYTES_IN_MEMORY)) throw overloaded();
    try {
      const { files } = ctx.clients;
      const digest = createHash('sha256');
      const { id } = await files.beginFile({}, call);
      const limits = { field: 'file', fileBytes: FILE_BYTES_MAX, partBytes: PART_BYTES };
      const received = await receiveFile(incoming, limits, async (part, body) => {
        digest.update(body);
        await files.appendFile({ id, part, body }, call);
      });
      const form = validate(createFileForm, received.fields);
      const { filename, parts } = received;
      const expiresAfterSeconds = form['expires_after[seconds]'] ?? 0;
      const { file } = await files.completeFile(
        {
          id,
          purpose: form.purpose,
          filename,
          parts,
          expiresAfterSeconds,
          idempotencyKey,
          contentSha256: digest.digest('hex'),
        },
        call,
      );
      return { body: fileJson(file) };
    } finally {
      share.giveBack();
    }
  },
});

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

/** Returns a file in the vendor's shape. */
function fileJson(file: File | undefined): FileObject {
  if (!file) throw new AppError('INTERNAL_ERROR', 'internal error');
  return {
    id: file.id,
    object: 'file',
    bytes: Number(file.bytes),
    created_at: Number(file.createdAt),
    expires_at: Number(file.expiresAt),
    filename: file.filename,
    purpose: uploadPurposes.find((purpose) => purpose === file.purpose) ?? 'batch_output',
    status: 'processed',
  };
}

/** Returns a page of records in the vendor's shape. */
export function pageJson<Item extends { id: string }>(data: Item[], hasMore: boolean) {
  return {
    object: 'list' as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}
