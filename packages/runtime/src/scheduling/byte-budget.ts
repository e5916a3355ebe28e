/** The share of the budget that one tenant may use. */
const TENANT_PART = 0.5;

/** Counts bytes that this process holds for requests, in total and per tenant. */
export class ByteBudget {
  readonly #bytesMax: number;
  readonly #tenants = new Map<string, number>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns false and counts nothing when the process or the tenant would exceed its budget. */
  take(tenant: string, bytes: number): boolean {
    const held = this.#tenants.get(tenant) ?? 0;
    if (this.#bytes + bytes > this.#bytesMax) return false;
    if (held + bytes > this.#bytesMax * TENANT_PART) return false;
    this.#bytes += bytes;
    this.#tenants.set(tenant, held + bytes);
    return true;
  }

  giveBack(tenant: string, bytes: number): void {
    const left = (this.#tenants.get(tenant) ?? 0) - bytes;
    this.#bytes -= bytes;
    if (left > 0) this.#tenants.set(tenant, left);
    else this.#tenants.delete(tenant);
  }
}
