import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { collect, InferenceSystem } from '../../testing/inference-system.js';

let system: InferenceSystem;
beforeAll(async () => {
  system = await InferenceSystem.start();
});
afterAll(() => system.stop());

it('releases the hold of a turn that cannot be constructed', async () => {
  const call = system.call();
  const body = { input: 'a or b?', options: [{ id: 'a' }, { id: 'b' }] };
  // Decisions have no stream: opening its writer throws.
  const turn = system.turn(body, { dialect: Dialect.DECISIONS, stream: true }, call);
  await expect(collect(turn)).rejects.toThrow('decisions are not streamed');
  expect(system.ledger.findRelease(call.requestId)).toMatchObject({ facts: { success: false } });
});
