import { BatchService } from '@tollgate/contracts/workflow/v1/batches_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { toBatch } from '../domain/batches/batch-json.js';
import { createBatch } from '../operations/batches/create-batch.js';
import { cancelBatch, getBatch, listBatches } from '../operations/batches/read-batches.js';
import type { BatchRow } from '../store/batches/batches.js';

/** All RPCs of BatchService. */
export function batchService(ctx: Context): Registration {
  return register(BatchService, {
    createBatch: async (req, call) => {
      const input = { ...req, metadata: Buffer.from(req.metadataJson).toString('utf8') };
      return { batchJson: toJson(await createBatch(ctx, call.requirePrincipal(), input, call)) };
    },
    getBatch: async ({ id }, call) => ({ batchJson: toJson(await getBatch(ctx, call.requirePrincipal(), id)) }),
    listBatches: async (req, call) => {
      const { rows, hasMore } = await listBatches(ctx, call.requirePrincipal(), req);
      return { batchesJson: rows.map(toJson), hasMore };
    },
    cancelBatch: async ({ id }, call) => ({ batchJson: toJson(await cancelBatch(ctx, call.requirePrincipal(), id)) }),
  });
}

function toJson(row: BatchRow): Buffer {
  return Buffer.from(JSON.stringify(toBatch(row)));
}
