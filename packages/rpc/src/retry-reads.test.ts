import { describe, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import { startCall } from './call.js';
import { retryReads } from './retry-reads.js';

const { getCustomer: read, admit: write } = BillingService.method;
const away = () => new AppError('SERVICE_UNAVAILABLE', 'a required service is not reachable');

/** Fails as often as there are errors, then answers. */
function failing(...errors: Error[]) {
  const server = {
    calls: 0,
    async ask() {
      server.calls++;
      const error = errors.shift();
      if (error) throw error;
      return 'answered';
    },
  };
  return server;
}

describe('a call whose server is unavailable', () => {
  it('repeats a read until the server answers', async () => {
    const server = failing(away(), away());
    await expect(retryReads(read, server.ask)({}, startCall())).resolves.toBe('answered');
    expect(server.calls).toBe(3);
  });

  it('makes a call that changes state only once', async () => {
    const server = failing(away());
    await expect(retryReads(write, server.ask)({}, startCall())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(server.calls).toBe(1);
  });

  it('stops after four attempts', async () => {
    const server = failing(away(), away(), away(), away(), away());
    await expect(retryReads(read, server.ask)({}, startCall())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(server.calls).toBe(4);
  });

  it('stops when the deadline leaves no time for another attempt', async () => {
    const server = failing(away());
    const call = startCall({ timeoutMs: 20 });
    await expect(retryReads(read, server.ask)({}, call)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(server.calls).toBe(1);
  });

  it('does not repeat a call that fails with another error', async () => {
    const server = failing(new AppError('NOT_FOUND', 'no such customer'));
    await expect(retryReads(read, server.ask)({}, startCall())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(server.calls).toBe(1);
  });
});
