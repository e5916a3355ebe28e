const PAUSE_MIN_MS = 100;
const PAUSE_MAX_MS = 2_000;
/** A tenant that was not retried for this long is removed. */
const MEMORY_MS = 60_000;

interface Locked {
  pauseMs: number;
  retryAtMs: number;
}

/** Tenants with rows locked by another transaction, and when each is retried. */
export class LockedTenants {
  readonly #tenants = new Map<string, Locked>();

  get size(): number {
    return this.#tenants.size;
  }

  has(tenant: string): boolean {
    return this.#tenants.has(tenant);
  }

  /** Returns true if the tenant's pause is over. */
  isDue(tenant: string, elapsedMs: number): boolean {
    const locked = this.#tenants.get(tenant);
    return locked !== undefined && locked.retryAtMs <= elapsedMs;
  }

  /** Records that the tenant's rows are locked. Doubles the pause each consecutive time. */
  add(tenant: string, elapsedMs: number): void {
    for (const [known, { retryAtMs }] of this.#tenants) {
      if (retryAtMs < elapsedMs - MEMORY_MS) this.#tenants.delete(known);
    }
    const pauseMs = Math.min(PAUSE_MAX_MS, (this.#tenants.get(tenant)?.pauseMs ?? PAUSE_MIN_MS / 2) * 2);
    this.#tenants.set(tenant, { pauseMs, retryAtMs: elapsedMs + pauseMs });
  }

  delete(tenant: string): void {
    this.#tenants.delete(tenant);
  }
}
