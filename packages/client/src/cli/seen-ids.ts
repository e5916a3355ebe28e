const IDS_MAX = 10_000;

/** Remembers the last ten thousand ids. */
export class SeenIds {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Returns false if the id was there. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size > IDS_MAX) for (const oldest of [...this.#ids].slice(0, IDS_MAX / 2)) this.#ids.delete(oldest);
    return true;
  }
}
