import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { ReadCache } from '@tollgate/runtime';
import type { Subject } from '../../domain/subject.js';

/** How stale a subject may be on a replica that did not make the change itself. */
const STALE_MS = 5_000;
const ENTRIES_MAX = 20_000;

/**
 * Caches subjects by principal. Balances are never cached, so a stale entry can at worst apply a tier or a subscription status
 * that changed seconds ago. Changes made by this process drop entries immediately.
 */
export class SubjectCache {
  readonly #subjects: ReadCache<Subject>;
  readonly #load: (principal: Principal) => Promise<Subject>;

  constructor(load: (principal: Principal) => Promise<Subject>, nowMs: () => number) {
    const isCurrent = ({ validUntilMs }: Subject): boolean => validUntilMs > nowMs();
    this.#subjects = new ReadCache({ sizeMax: ENTRIES_MAX, staleMs: STALE_MS, isCurrent });
    this.#load = load;
  }

  get(principal: Principal): Subject | Promise<Subject> {
    const { accountId, projectId, customerId, keyId, keySpendLimitMicrocents, byob } = principal;
    const key = `${accountId}/${projectId}/${customerId}/${keyId}/${keySpendLimitMicrocents ?? ''}/${byob}`;
    return this.#subjects.get(key, () => this.#load(principal));
  }

  dropCustomer(customerId: string): void {
    this.#subjects.deleteWhere((key) => key.includes(`/${customerId}/`));
  }

  dropProject(projectId: string): void {
    this.#subjects.deleteWhere((key) => key.includes(`/${projectId}/`));
  }

  dropAccount(accountId: string): void {
    this.#subjects.deleteWhere((key) => key.startsWith(`${accountId}/`));
  }
}
