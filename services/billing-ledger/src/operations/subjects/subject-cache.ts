import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { atMost } from '@tollgate/runtime';
import { LRUCache } from 'lru-cache';
import type { Subject } from '../../domain/subject.js';

/** How stale a subject may be on a replica that did not make the change itself. */
const TTL_MS = 5_000;
const ENTRIES_MAX = 20_000;

/**
 * Caches subjects by principal. Concurrent misses share one read. Balances are never cached, so a stale entry can at worst
 * apply a tier or a subscription status that changed seconds ago. Changes made by this process drop entries immediately.
 */
export class SubjectCache {
  readonly #entries = new LRUCache<
    string,
    { subject: Promise<Subject>; customerId: string; projectId: string; accountId: string }
  >({
    ...atMost(ENTRIES_MAX),
    ttl: TTL_MS,
  });
  readonly #load: (principal: Principal) => Promise<Subject>;
  readonly #nowMs: () => number;

  constructor(load: (principal: Principal) => Promise<Subject>, nowMs: () => number) {
    this.#load = load;
    this.#nowMs = nowMs;
  }

  async get(principal: Principal): Promise<Subject> {
    const key = `${principal.accountId}/${principal.projectId}/${principal.customerId}/${principal.keyId}/${principal.keySpendLimitMicrocents ?? ''}/${principal.byob}`;
    const entry = this.#entries.get(key);
    if (entry) {
      const subject = await entry.subject;
      if (subject.validUntilMs > this.#nowMs()) return subject;
      // Of those that find it outdated at the same time, the first reads it again and the others share that read.
      const newer = this.#entries.get(key);
      if (newer && newer !== entry) return newer.subject;
    }
    const subject = this.#load(principal);
    const { customerId, projectId, accountId } = principal;
    this.#entries.set(key, { subject, customerId, projectId, accountId });
    subject.catch(() => this.#entries.delete(key));
    return subject;
  }

  dropCustomer(customerId: string): void {
    for (const [key, entry] of this.#entries.entries()) if (entry.customerId === customerId) this.#entries.delete(key);
  }

  dropProject(projectId: string): void {
    for (const [key, entry] of this.#entries.entries()) if (entry.projectId === projectId) this.#entries.delete(key);
  }

  dropAccount(accountId: string): void {
    for (const [key, entry] of this.#entries.entries()) if (entry.accountId === accountId) this.#entries.delete(key);
  }
}
