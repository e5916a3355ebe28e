/** Lists the columns of a joined table under names that start with its alias, for `toJoinedRecord`. */
export function joinedColumns(alias: string, columns: readonly string[]): string {
  return columns.map((column) => `${alias}.${column} AS ${alias}_${column}`).join(', ');
}

/** Converts a row to a record: `created_at` becomes `createdAt`. */
export function toRecord<T>(row: object): T {
  const fields = Object.entries(row).map(([column, value]) => [toCamelCase(column), value]);
  return Object.fromEntries(fields) as T;
}

/** Converts the columns of one joined table to a record. */
export function toJoinedRecord<T>(row: object, alias: string): T {
  const prefix = `${alias}_`;
  const columns = Object.entries(row).filter(([column]) => column.startsWith(prefix));
  return toRecord(Object.fromEntries(columns.map(([column, value]) => [column.slice(prefix.length), value])));
}

function toCamelCase(column: string): string {
  return column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
