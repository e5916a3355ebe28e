import type { Ident } from './ast.js';
import { fold } from './names.js';

/** What a name in FROM stands for: a table, or something computed whose columns were judged where they were made. */
export interface Source {
  /** The name it goes by; empty = none. */
  name: string;
  /** Absent = computed. */
  table?: readonly Ident[];
}

/** The names that an expression can refer to, from the inside out. */
export class Scope {
  readonly parent: Scope | undefined;
  readonly #sources: Source[] = [];
  readonly #commonTables = new Set<string>();

  constructor(parent?: Scope) {
    this.parent = parent;
  }

  addSource(source: Source): void {
    this.#sources.push(source);
  }

  /** `name` is in the dialect's exact spelling. */
  addCommonTable(name: string): void {
    this.#commonTables.add(name);
  }

  isCommonTable(name: string): boolean {
    return this.#commonTables.has(name) || this.parent?.isCommonTable(name) === true;
  }

  /** Of this level alone. */
  get ownSources(): readonly Source[] {
    return this.#sources;
  }

  /** The sources that a qualifier can mean: those of the innermost level that has one of the name. */
  named(name: string): readonly Source[] {
    const wanted = fold(name);
    const found = this.#sources.filter((source) => fold(source.name) === wanted);
    return found.length > 0 ? found : (this.parent?.named(name) ?? []);
  }

  /** The tables whose columns a bare name can mean. */
  tables(): (readonly Ident[])[] {
    const own = this.#sources.flatMap(({ table }) => (table ? [table] : []));
    return [...own, ...(this.parent?.tables() ?? [])];
  }
}
