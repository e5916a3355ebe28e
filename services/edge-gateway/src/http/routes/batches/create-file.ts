import { createHash } from 'node:crypto';
import { createFileForm, fileObjectSchema } from '@tollgate/api/compatible';
import type { Context } from '../../../context.js';
import { BodyShare, overloaded } from '../../exchange/body/read-body.js';
import { receiveFile } from '../../exchange/body/receive-file.js';
import { readIdempotencyKey } from '../../exchange/idempotency-key.js';
import { defineRoute } from '../../exchange/route.js';
import { validate } from '../../exchange/validate.js';
import { fileJson } from './file-json.js';

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
