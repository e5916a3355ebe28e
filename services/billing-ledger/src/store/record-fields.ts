/** Lists the columns of a joined table under names that start with its alias, for `toJoinedRecord`. */
export function joinedColumns(alias: string, columns: readonly string[]): string {
  return columns.map((column) => `${alias}.${column} AS ${alias}_${column}`).join(', ');
}

/** Names of fields by alias and column. Both come from the statements of the source, so there are few. */
const fieldNames = new Map<string, Map<string, string | undefined>>();

/** Converts a row to a record: `created_at` becomes `createdAt`. */
export function toRecord<T>(row: object): T {
  return convert(row, '') as T;
}

/** Converts the columns of one joined table to a record. */
export function toJoinedRecord<T>(row: object, alias: string): T {
  return convert(row, `${alias}_`) as T;
}

/** A page has hundreds of rows with dozens of columns: each name is converted once per process. */
function convert(row: object, prefix: string): object {
  const names = fieldNames.get(prefix) ?? new Map<string, string | undefined>();
  if (names.size === 0) fieldNames.set(prefix, names);
  const record: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    let name = names.get(column);
    if (name === undefined && !names.has(column)) {
      name = column.startsWith(prefix) ? toCamelCase(column.slice(prefix.length)) : undefined;
      names.set(column, name);
    }
    if (name !== undefined) record[name] = value;
  }
  return record;
}

function toCamelCase(column: string): string {
  return column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
