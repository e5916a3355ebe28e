import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { isAppError } from '@tollgate/errors';
import { startCall } from '@tollgate/rpc';
import { type Clock, ReadCache } from '@tollgate/runtime';
import type { Clients } from '../clients/clients.js';
import type { CustomerInfo } from '../domain/identity.js';

const TIMEOUT_MS = 3_000;

/** Looks up customers named in `X-Service-Customer-Id`; caches billing's records for five seconds. */
export class CustomerLookup {
  readonly #billing: Clients['billing'];
  readonly #cache: ReadCache<CustomerInfo>;

  constructor(billing: Clients['billing'], clock: Clock) {
    this.#billing = billing;
    this.#cache = new ReadCache({ sizeMax: 50_000, freshMs: 3_000, staleMs: 5_000, clock });
  }

  /** Returns undefined when the key's project has no such customer. */
  find(keyOwner: Principal, customerId: string): CustomerInfo | Promise<CustomerInfo | undefined> {
    return this.#cache.get(`${keyOwner.projectId}/${customerId}`, () => this.#load(keyOwner, customerId));
  }

  forget(projectId: string, customerId: string): void {
    this.#cache.delete(`${projectId}/${customerId}`);
  }

  async #load(keyOwner: Principal, customerId: string): Promise<CustomerInfo | undefined> {
    try {
      const call = startCall({ principal: keyOwner, timeoutMs: TIMEOUT_MS });
      const { envelope } = await this.#billing.getCustomer({ by: { case: 'id', value: customerId } }, call);
      if (!envelope?.customer) return undefined;
      const { customer, subscription } = envelope;
      return { customerId: customer.id, externalId: customer.externalId, tierCode: subscription?.tierCode ?? '' };
    } catch (error) {
      if (isAppError(error) && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  }
}
