import type { SqlDialect, SqlPolicy } from '@tollgate/api';
import type { Ident } from './ast.js';
import { exactName, fold, splitPolicyName } from './names.js';
import { hasSystemSchema, isSystemTable } from './system-tables.js';

/** The schema that a name without one means, where the dialect has such a thing. */
const DEFAULT_SCHEMA: Record<SqlDialect, string | undefined> = {
  postgres: 'public',
  sqlserver: 'dbo',
  sqlite: 'main',
  mysql: undefined,
};

/** What the policy says about tables, prepared for many questions. */
export interface TableRules {
  refusalOf(table: readonly Ident[]): string | undefined;
}

export function tableRules({ dialect, tables }: SqlPolicy): TableRules {
  const allowed = tables?.allowlist?.map(splitPolicyName);
  const denied = (tables?.denylist ?? []).map(splitPolicyName);
  return {
    refusalOf(table) {
      const shown = tableText(table);
      if (denied.some((rule) => mayBeSame(rule, isSchemaRule(rule) ? withSchema(table, dialect) : table)))
        return `table ${shown} is not allowed`;
      const isSystem = isSystemTable(table, dialect);
      if (!allowed) return isSystem ? `system table ${shown} is not allowed` : undefined;
      const isAllowed = allowed.some(
        (rule) => isSurelySame(rule, table, dialect) && (!isSystem || namesSystemTable(rule, dialect)),
      );
      return isAllowed ? undefined : `table ${shown} is not allowed`;
    },
  };
}

/** As it is told to people: without quotes. */
export function tableText(table: readonly Ident[]): string {
  return table.map(({ value }) => value).join('.');
}

/** `schema.*`: of a name without a schema it can say something only once the default one is put in. */
function isSchemaRule(rule: readonly Ident[]): boolean {
  return rule.length > 1 && rule.at(-1)?.value === '*';
}

/** Whether the rule and the reference can mean one table: the shorter is the end of the longer. */
export function mayBeSame(rule: readonly Ident[], table: readonly Ident[]): boolean {
  const length = Math.min(rule.length, table.length);
  if (length === 0) return false;
  return rule.slice(-length).every((part, i) => {
    const other = table.at(i - length)!;
    return (part.value === '*' && !part.quote_style) || other.value === '' || fold(part.value) === fold(other.value);
  });
}

/** Whether the reference means nothing but what the rule allows: as many parts, after the default schema is put in. */
function isSurelySame(rule: readonly Ident[], table: readonly Ident[], dialect: SqlDialect): boolean {
  const [a, b] = [withSchema(rule, dialect), withSchema(table, dialect)];
  if (a.length !== b.length) return false;
  return a.every((part, i) => {
    if (part.value === '*' && !part.quote_style) return i === a.length - 1;
    return exactName(part, dialect) === exactName(b[i]!, dialect);
  });
}

function withSchema(name: readonly Ident[], dialect: SqlDialect): readonly Ident[] {
  const schema = DEFAULT_SCHEMA[dialect];
  if (schema === undefined) return name;
  if (name.length === 1) return [{ value: schema }, ...name];
  // `database..table` of SQL Server
  return name.map((part) => (part.value === '' ? { value: schema } : part));
}

/** `*` of a schema of the user does not name the system tables that are found in it. */
function namesSystemTable(rule: readonly Ident[], dialect: SqlDialect): boolean {
  return !isWildcard(rule) || hasSystemSchema(rule, dialect);
}

function isWildcard(rule: readonly Ident[]): boolean {
  const last = rule.at(-1);
  return last?.value === '*' && !last.quote_style;
}
