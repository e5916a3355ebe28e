/**
 * Returns a PostgreSQL array literal of values that need no quoting (numbers, UUIDs, our own identifiers). One string per
 * column of a batch avoids the driver's per-element escaping, which costs more than the statement itself.
 */
export function arrayLiteral(values: Iterable<bigint | number | string>): string {
  let out = '{';
  let isFirst = true;
  for (const value of values) {
    if (isFirst) isFirst = false;
    else out += ',';
    out += value;
  }
  return `${out}}`;
}

/** Returns constants of the code as a list of SQL literals, for `IN (…)` in a statement's text. */
export function literalList(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ');
}
