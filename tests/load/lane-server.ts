// The server of lanes.ts: answers Admit at once and Generate with `FRAMES` frames.
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import { register, startRpcServer } from '@tollgate/rpc';

const missing = () => {
  throw new AppError('NOT_FOUND', 'not in this benchmark');
};
const billing = Object.fromEntries(BillingService.methods.map((method) => [method.localName, missing]));
const inference = Object.fromEntries(InferenceService.methods.map((method) => [method.localName, missing]));
const data = Buffer.from('data: {"type":"update","delta":"word "}\n\n');

const server = await startRpcServer({
  host: '127.0.0.1',
  port: 0,
  registrations: [
    register(BillingService, {
      ...billing,
      admit: async () => ({
        decision: { case: 'admitted', value: { heldMicrocents: 1_234_567n, modelId: 'openai/gpt-5-mini' } },
      }),
    } as never),
    register(InferenceService, {
      ...inference,
      generate: async function* () {
        for (let i = 0; i < Number(process.env.FRAMES); i += 1) yield { data };
      },
    } as never),
  ],
});
process.send?.(server.address);
process.once('disconnect', () => process.exit());
