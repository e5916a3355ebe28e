import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import type { CatalogModel } from '@tollgate/catalog';
import { Dialect, GenerateRequestSchema } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { startCall } from '@tollgate/rpc';
import { systemClock } from '@tollgate/runtime';
import { openTestConnection } from '../../testing/test-connection.js';
import { planTurn } from './turn-plan.js';

const relay = openTestConnection({ id: 'relay', preset: 'openai', base_url: 'https://relay.example/v1' });
const model = {
  model_id: 'm',
  capabilities: ['text'],
  max_output_tokens: 100,
  routes: [{ provider: 'openai', connection: 'relay', upstream_model: 'r' }],
} as unknown as CatalogModel;

interface Asked {
  stream?: boolean;
  answersBeforeSettlement?: boolean;
  storage?: { backgroundId?: string };
}

function plan(asked: Asked) {
  const ctx = {
    catalog: { find: () => model },
    circuits: { inOrder: <Route>(routes: Route) => routes },
    connections: { find: () => relay },
    clock: systemClock,
    jsonThread: undefined,
  } as unknown as Parameters<typeof planTurn>[0];
  const body = Buffer.from(JSON.stringify({ model: 'm', input: 'hi' }));
  const request = create(GenerateRequestSchema, { dialect: Dialect.OPENAI_RESPONSES, modelId: 'm', body, ...asked });
  return planTurn(ctx, request, startCall({}));
}

describe('the answer', () => {
  it.each([
    ['streamed', { stream: true }],
    ['streamed', { stream: true, storage: { backgroundId: 'b' } }],
    ['collected', { storage: { backgroundId: 'b' } }],
    ['whole', { storage: {} }],
    ['whole', {}],
  ])('leaves %s for %j', (delivery, asked) => {
    expect(plan(asked)).toMatchObject({ delivery });
  });

  it('comes before the settlement if the caller wants it, unless the answer is stored', () => {
    const answersBeforeSettlement = true;
    expect(plan({ answersBeforeSettlement }).answersBeforeSettlement).toBe(true);
    expect(plan({ answersBeforeSettlement, storage: {} }).answersBeforeSettlement).toBe(false);
  });
});
