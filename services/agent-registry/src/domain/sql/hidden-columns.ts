import type { SqlPolicy } from '@tollgate/api/state';
import type { Ident } from './ast.js';
import { fold, splitPolicyName } from './names.js';
import { mayBeSame } from './table-rules.js';

interface HiddenColumn {
  /** `*` = every column of the table. */
  column: string;
  /** Empty = of every table. */
  table: Ident[];
}

/** The policy's hidden columns, indexed for lookups. */
export class HiddenColumns {
  readonly #hidden: HiddenColumn[];

  constructor({ columns }: SqlPolicy) {
    this.#hidden = (columns?.hidden ?? []).map((text) => {
      const parts = splitPolicyName(text);
      return { column: fold(parts.at(-1)?.value ?? ''), table: parts.slice(0, -1) };
    });
  }

  /** Returns whether a column of this name is hidden in every table, or in one of these. Most names are in no rule. */
  hides(column: string, tables: () => readonly (readonly Ident[])[]): boolean {
    const rules = this.#named(column);
    if (rules.length === 0) return false;
    if (rules.some(({ table }) => table.length === 0)) return true;
    return tables().some((table) => rules.some((rule) => mayBeSame(rule.table, table)));
  }

  /** Returns whether a table may have any hidden column. */
  hasIn(table: readonly Ident[]): boolean {
    return this.#hidden.some((rule) => rule.table.length === 0 || mayBeSame(rule.table, table));
  }

  #named(column: string): HiddenColumn[] {
    const name = fold(column);
    return this.#hidden.filter((rule) => rule.column === name || rule.column === '*');
  }
}
