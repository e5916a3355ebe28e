/**
 * Returns a PostgreSQL array literal of values that need no quoting (numbers, UUIDs, our own identifiers). Null is NULL. One string per
 * column of a batch avoids the driver's per-element escaping, which costs more than the statement itself.
 */
export function arrayLiteral(values: Iterable<bigint | number | string | null>): string {
  let out = '{';
  let isFirst = true;
  for (const value of values) {
    if (isFirst) isFirst = false;
    else out += ',';
    out += value;
  }
  return `${out}}`;
}
