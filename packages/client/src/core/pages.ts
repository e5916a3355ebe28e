/** The type of the items in the list `K` of a page. */
export type PageItem<P, K extends keyof P> = NonNullable<P[K]> extends readonly (infer Item)[] ? Item : never;

/**
 * A list that comes in pages. `await` gives the first page; `for await` gives every item of all pages, and asks for the
 * next page when the loop reaches it.
 */
export class Pages<P extends object, Item> implements PromiseLike<P>, AsyncIterable<Item> {
  readonly #load: (next: string | undefined) => Promise<P>;
  readonly #member: keyof P;
  #first: Promise<P> | undefined;

  constructor(load: (next: string | undefined) => Promise<P>, member: keyof P) {
    this.#load = load;
    this.#member = member;
  }

  // biome-ignore lint/suspicious/noThenProperty: a request that is sent when it is awaited
  then<A = P, B = never>(
    onPage?: ((page: P) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#firstPage().then(onPage, onError);
  }

  /** Yields whole pages. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let page = await this.#firstPage();
    for (;;) {
      yield page;
      const next = readNext(page);
      if (next === undefined) return;
      const following = await this.#load(next);
      // A page that names itself as the next one would be read forever.
      if (readNext(following) === next) {
        yield following;
        return;
      }
      page = following;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* (page[this.#member] ?? []) as Item[];
  }

  /** Returns the items of all pages, at most `max`. */
  async toArray(max = 10_000): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) {
      items.push(item);
      if (items.length >= max) break;
    }
    return items;
  }

  #firstPage(): Promise<P> {
    this.#first ??= this.#load(undefined);
    return this.#first;
  }
}

function readNext(page: object): string | undefined {
  return (page as { next_cursor?: string }).next_cursor;
}
