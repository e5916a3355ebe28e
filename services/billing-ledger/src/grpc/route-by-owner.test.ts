import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { AccountLimitService } from '@tollgate/contracts/billing/v1/account_limits_pb.js';
import { PaymentService } from '@tollgate/contracts/billing/v1/payments_pb.js';
import { AppError } from '@tollgate/errors';
import { type Call, LocalNetwork, type Registration, startCall } from '@tollgate/rpc';
import { callAs, ownerPrincipal } from '../testing/ledger-harness.js';
import { routeByOwner } from './route-by-owner.js';

const NAMES = ['main', 'second'];
const fails = new Set<string>();

/** Returns services that note the database of each call, and the clients of their router. */
function openRouter(find: (accountId: string) => string | Promise<string>) {
  const seen: string[] = [];
  const services = new Map(
    NAMES.map((name): [string, Registration[]] => {
      const note = async (_: unknown, call: Call) => {
        if (fails.has(name)) throw new AppError('SERVICE_UNAVAILABLE', `${name} is unavailable`);
        seen.push(`${name} ${call.principal?.accountId ?? 'no account'}`);
        return {};
      };
      const own: Registration[] = [
        { service: AccountLimitService, handlers: { setAccountLimit: note } },
        { service: PaymentService, handlers: { receiveNotice: note } },
      ];
      return [name, own];
    }),
  );
  const network = new LocalNetwork();
  network.register(...routeByOwner(services, { find: ({ accountId }) => find(accountId) }));
  return { seen, limits: network.client(AccountLimitService), payments: network.client(PaymentService) };
}

it('passes each call to the database of its owner, whether it is known or must be read', async () => {
  const [first, second] = [ownerPrincipal(), ownerPrincipal()];
  const find = (id: string) => (id === first.accountId ? 'main' : Promise.resolve('second'));
  const { seen, limits } = openRouter(find);
  for (const owner of [first, second, first]) await limits.setAccountLimit({}, callAs(owner));
  expect(seen).toEqual([`main ${first.accountId}`, `second ${second.accountId}`, `main ${first.accountId}`]);
});

it('refuses a call without an owner', async () => {
  const { seen, limits } = openRouter(() => 'main');
  await expect(limits.setAccountLimit({}, startCall())).rejects.toThrow();
  expect(seen).toEqual([]);
});

it('fails a call whose database cannot be found', async () => {
  const { limits } = openRouter(() => Promise.reject(new AppError('SERVICE_UNAVAILABLE', randomUUID())));
  await expect(limits.setAccountLimit({}, callAs(ownerPrincipal()))).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
});

it('passes a webhook event to every database, and fails if one of them does', async () => {
  const { seen, payments } = openRouter(() => 'main');
  await payments.receiveNotice({}, startCall());
  expect(seen).toEqual(['main no account', 'second no account']);
  fails.add('main');
  await expect(payments.receiveNotice({}, startCall())).rejects.toThrow('main is unavailable');
  expect(seen).toHaveLength(3);
  fails.clear();
});
