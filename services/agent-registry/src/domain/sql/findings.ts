import type { SqlDialect, SqlPolicy } from '@tollgate/api/state';
import type { Ident } from './ast.js';
import { functionRefusal, isWholeRowFunction } from './functions.js';
import { HiddenColumns } from './hidden-columns.js';
import { exactName, fold, identifierFault, syntaxWordFault } from './names.js';
import type { Scope, Source } from './scope.js';
import { type TableRules, tableRules, tableText } from './table-rules.js';

/** Bounds the reasons in one error. */
const REFUSALS_MAX = 20;

/** A fourth part names a linked server, which no policy allows. */
const TABLE_PARTS_MAX = 3;

/** Collects the tables of a statement and every reason for which its policy refuses it. */
export class Findings {
  readonly policy: SqlPolicy;
  readonly refusals = new Set<string>();
  readonly tables = new Set<string>();
  joins = 0;
  hasWrites = false;
  readonly #tableRules: TableRules;
  readonly #hidden: HiddenColumns;

  constructor(policy: SqlPolicy) {
    this.policy = policy;
    this.#tableRules = tableRules(policy);
    this.#hidden = new HiddenColumns(policy);
  }

  refuse(reason: string): void {
    if (this.refusals.size < REFUSALS_MAX) this.refusals.add(reason);
  }

  /** Checks the counts; call it after the whole tree was walked. */
  finish(): void {
    const most = this.policy.joins?.max_joins;
    if (most != null && this.joins > most) this.refuse(`${this.joins} joins, at most ${most} are allowed`);
  }

  subquery(): void {
    if (this.policy.subqueries?.allowed === false) this.refuse('subqueries are not allowed');
  }

  /** Handles a name in FROM: a table, unless a common table expression has the name. */
  source(parts: readonly Ident[], alias: Ident | undefined, scope: Scope): Source {
    this.names(parts);
    const last = parts.at(-1)!;
    const name = (alias ?? last).value;
    this.#noSyntaxWord(last);
    if (parts.length === 1 && scope.isCommonTable(exactName(last, this.policy.dialect))) return { name };
    if (parts.length > TABLE_PARTS_MAX) this.refuse(`table ${tableText(parts)} is on another server`);
    const refusal = this.#tableRules.findRefusal(parts);
    if (refusal) this.refuse(refusal);
    this.tables.add(tableText(parts));
    return { name, table: parts };
  }

  /** Refuses new names for the columns of a table with hidden ones, which could then no longer be recognized. */
  renamedColumns({ table }: Source): void {
    if (table && this.#hidden.hasIn(table)) this.refuse(`columns of ${tableText(table)} cannot be renamed`);
  }

  /** Columns that a join matches implicitly. */
  naturalJoin(scope: Scope): void {
    this.wildcard(scope.ownSources, 'NATURAL JOIN');
  }

  /** `*` over these sources. */
  wildcard(sources: readonly Source[], what = '*'): void {
    for (const { table } of sources) {
      if (table && this.#hidden.hasIn(table)) this.refuse(`${what} reads hidden columns of ${tableText(table)}`);
    }
  }

  /** `name.*` */
  qualifiedWildcard(parts: readonly Ident[], scope: Scope): void {
    const sources = tablesMeant(parts, scope).map((table): Source => ({ name: '', table }));
    this.wildcard(sources, `${tableText(parts)}.*`);
  }

  column(parts: readonly Ident[], scope: Scope): void {
    this.names(parts);
    const { value } = parts.at(-1)!;
    if (value.startsWith('@@')) this.refuse(`server variable ${value} is not allowed`);
    if (parts.length === 1) this.#bareColumn(value, scope);
    else this.#qualifiedColumn(parts, value, scope);
  }

  call(name: readonly Ident[]): void {
    this.names(name);
    const refusal = functionRefusal(name, this.policy);
    if (refusal) this.refuse(refusal);
  }

  /** Text in double quotes is a column under some server settings. */
  doubleQuoted(text: string, scope: Scope): void {
    if (this.#hidden.hides(text, () => scope.tables())) this.refuse(`column ${text} is hidden`);
  }

  /** Columns that are written implicitly. */
  unnamedColumns(table: readonly Ident[]): void {
    if (this.#hidden.hasIn(table)) this.refuse(`columns of ${tableText(table)} must be named: some are hidden`);
  }

  /** The name of a table or computed source within FROM. */
  alias(name: Ident): void {
    this.names([name]);
    this.#noSyntaxWord(name);
  }

  names(parts: readonly Ident[]): void {
    for (const part of parts) {
      const fault = identifierFault(part);
      if (fault) this.refuse(fault);
    }
  }

  #noSyntaxWord(name: Ident): void {
    const fault = syntaxWordFault(name, this.policy.dialect);
    if (fault) this.refuse(fault);
  }

  #bareColumn(name: string, scope: Scope): void {
    if (this.#hidden.hides(name, () => scope.tables())) this.refuse(`column ${name} is hidden`);
    this.wildcard(rowsMeant(name, this.policy.dialect, scope), name);
  }

  #qualifiedColumn(parts: readonly Ident[], name: string, scope: Scope): void {
    const tables = () => tablesMeant(parts.slice(0, -1), scope);
    if (this.#hidden.hides(name, tables)) this.refuse(`column ${tableText(parts)} is hidden`);
    const isRowFunction = this.policy.dialect === 'postgres' && isWholeRowFunction(name);
    if (isRowFunction && tables().some((table) => this.#hidden.hasIn(table))) {
      this.refuse(`${tableText(parts)} can be read as a function of the whole row`);
    }
  }
}

/** PostgreSQL's names for rows that are being written. */
const WRITTEN_ROWS = new Set(['old', 'new', 'excluded']);

/**
 * Sources whose whole row a bare name can mean: in PostgreSQL a table's name and those of written rows; in SQLite a
 * table's name as the argument of text search, which reads columns by number.
 */
function rowsMeant(name: string, dialect: SqlDialect, scope: Scope): readonly Source[] {
  if (dialect !== 'postgres' && dialect !== 'sqlite') return [];
  const found = scope.named(name);
  return found.length === 0 && dialect === 'postgres' && WRITTEN_ROWS.has(fold(name)) ? scope.ownSources : found;
}

/** An unknown qualifier may be a table's own name, `deleted` or `old`, so it is taken for every visible table. */
function tablesMeant(qualifier: readonly Ident[], scope: Scope): (readonly Ident[])[] {
  const found = scope.named(qualifier.at(-1)!.value);
  return found.length > 0 ? found.flatMap(({ table }) => (table ? [table] : [])) : [qualifier, ...scope.tables()];
}
