import { FileService } from '@tollgate/contracts/workflow/v1/batches_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { toFileId } from '../domain/batches/batch-ids.js';
import { toSeconds } from '../domain/batches/batch-json.js';
import { deleteFile, getFile, listFiles, readFile } from '../operations/batches/read-files.js';
import { appendFile, beginFile, completeFile } from '../operations/batches/upload-file.js';
import type { StoredFile } from '../store/batches/files.js';

/** All RPCs of FileService. */
export function fileService(ctx: Context): Registration {
  return register(FileService, {
    beginFile: (_req, call) => beginFile(ctx, call.requirePrincipal()),
    appendFile: async (req, call) => {
      await appendFile(ctx, call.requirePrincipal(), req);
      return {};
    },
    completeFile: async (req, call) => ({ file: toProto(await completeFile(ctx, call.requirePrincipal(), req)) }),
    getFile: async ({ id }, call) => ({ file: toProto(await getFile(ctx, call.requirePrincipal(), id)) }),
    listFiles: async (req, call) => {
      const { files, hasMore } = await listFiles(ctx, call.requirePrincipal(), req);
      return { files: files.map(toProto), hasMore };
    },
    deleteFile: async ({ id }, call) => {
      await deleteFile(ctx, call.requirePrincipal(), id);
      return {};
    },
    readFile: ({ id }, call) => readFile(ctx, call.requirePrincipal(), id),
  });
}

function toProto(file: StoredFile) {
  return {
    id: toFileId(file.fileId),
    bytes: BigInt(file.bytes),
    createdAt: BigInt(toSeconds(file.createdAt)),
    expiresAt: BigInt(toSeconds(file.expiresAt)),
    filename: file.filename,
    purpose: file.purpose,
  };
}
