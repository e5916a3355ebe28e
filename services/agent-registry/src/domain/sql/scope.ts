import type { Ident } from './ast.js';
import { fold } from './names.js';

/** The object of a name in FROM: a table, or a computed source whose columns were checked at its definition. */
export interface Source {
  /** The name within the query; empty = none. */
  name: string;
  /** Absent = computed. */
  table?: readonly Ident[];
}

/** The names that an expression can refer to, innermost level first. */
export class Scope {
  readonly parent: Scope | undefined;
  readonly #sources: Source[] = [];
  readonly #byName = new Map<string, Source[]>();
  readonly #commonTables = new Set<string>();

  constructor(parent?: Scope) {
    this.parent = parent;
  }

  addSource(source: Source): void {
    this.#sources.push(source);
    const name = fold(source.name);
    const same = this.#byName.get(name);
    if (same) same.push(source);
    else this.#byName.set(name, [source]);
  }

  /** `name` is in the dialect's exact spelling. */
  addCommonTable(name: string): void {
    this.#commonTables.add(name);
  }

  isCommonTable(name: string): boolean {
    return this.#commonTables.has(name) || this.parent?.isCommonTable(name) === true;
  }

  /** Sources of this level only. */
  get ownSources(): readonly Source[] {
    return this.#sources;
  }

  /** Returns the sources that a qualifier can mean: those of the innermost level with a source of that name. */
  named(name: string): readonly Source[] {
    return this.#byName.get(fold(name)) ?? this.parent?.named(name) ?? [];
  }

  /** Returns the tables whose columns an unqualified name can mean. */
  tables(): (readonly Ident[])[] {
    const own = this.#sources.flatMap(({ table }) => (table ? [table] : []));
    return [...own, ...(this.parent?.tables() ?? [])];
  }
}
