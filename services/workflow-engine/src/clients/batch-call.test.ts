import { expect, it } from '@jest/globals';
import { loadCatalog } from '@tollgate/catalog';
import { startCall } from '@tollgate/rpc';
import { readBatchRequest } from '../domain/batches/batch-request.js';
import { admitLine } from './batch-call.js';

it('refuses embeddings of a model that its catalog lacks, before the ledger is asked', async () => {
  const request = readBatchRequest('/v1/embeddings', { model: 'own/embedder', input: 'text' });
  const line = { holdId: 'h', supersedes: undefined, isResumed: false, isExpanded: false };
  const parts = { catalog: loadCatalog({ sandbox: true }), ledger: undefined, clients: undefined };
  const spending = { ...line, request } as Parameters<typeof admitLine>[1];
  const outcome = admitLine(parts as never, spending, startCall({ timeoutMs: 1_000 }));
  expect(await outcome).toEqual({ kind: 'refused', code: 'INVALID_INPUT', message: 'unknown model: own/embedder' });
});
