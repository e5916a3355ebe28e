// A server process for tests: answers Admit after `DELAY_MS` and counts how often each request id was executed.
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import { startRpcServer } from '../grpc/grpc-server.js';
import { register } from '../service.js';

const executions = new Map<string, number>();
const missing = () => {
  throw new AppError('NOT_FOUND', 'not in this test');
};
const handlers = Object.fromEntries(BillingService.methods.map((method) => [method.localName, missing]));
const billing = register(BillingService, {
  ...handlers,
  admit: async ({ holdId }: { holdId: string }) => {
    executions.set(holdId, (executions.get(holdId) ?? 0) + 1);
    await new Promise((resolve) => setTimeout(resolve, Number(process.env.DELAY_MS)));
    return {};
  },
} as never);
const server = await startRpcServer({
  port: 0,
  registrations: [billing],
  connectionAgeMs: Number(process.env.CONNECTION_AGE_MS),
});
process.send?.(server.address);
process.on('message', () => process.send?.([...executions]));
