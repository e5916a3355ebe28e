import type { SqlDialect, SqlPolicy } from '@tollgate/api/state';
import type { Ident } from './ast.js';
import { exactName, fold, splitPolicyName } from './names.js';
import { hasSystemSchema, isSystemTable } from './system-tables.js';

/** The default schema of an unqualified name, in dialects that have one. */
const DEFAULT_SCHEMA: Record<SqlDialect, string | undefined> = {
  postgres: 'public',
  sqlserver: 'dbo',
  sqlite: 'main',
  mysql: undefined,
};

/** The policy's table rules, prepared for lookups. */
export interface TableRules {
  findRefusal(table: readonly Ident[]): string | undefined;
}

export function tableRules({ dialect, tables }: SqlPolicy): TableRules {
  const allowed = tables?.allowlist?.map(splitPolicyName);
  const denied = (tables?.denylist ?? []).map(splitPolicyName);
  return {
    findRefusal(table) {
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

/** Formats a name for messages, without quotes. */
export function tableText(table: readonly Ident[]): string {
  return table.map(({ value }) => value).join('.');
}

/** `schema.*` matches an unqualified name only after the default schema was filled in. */
function isSchemaRule(rule: readonly Ident[]): boolean {
  return rule.length > 1 && rule.at(-1)?.value === '*';
}

/** Returns whether the rule and the reference can mean the same table: the shorter one is a suffix of the longer. */
export function mayBeSame(rule: readonly Ident[], table: readonly Ident[]): boolean {
  const length = Math.min(rule.length, table.length);
  if (length === 0) return false;
  return rule.slice(-length).every((part, i) => {
    const other = table.at(i - length)!;
    return (part.value === '*' && !part.quote_style) || other.value === '' || fold(part.value) === fold(other.value);
  });
}

/**
 * Returns whether the reference means exactly what the rule allows: as many parts, with the default schema filled in.
 */
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

/** `*` of a user's schema does not include system tables that are found in it. */
function namesSystemTable(rule: readonly Ident[], dialect: SqlDialect): boolean {
  return !isWildcard(rule) || hasSystemSchema(rule, dialect);
}

function isWildcard(rule: readonly Ident[]): boolean {
  const last = rule.at(-1);
  return last?.value === '*' && !last.quote_style;
}
