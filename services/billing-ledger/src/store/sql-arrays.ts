/**
 * PostgreSQL array literals for values that need no quoting (numbers, UUIDs): one string per column of a batch, made
 * without the driver's per-element escaping, which costs more than the batch's statement.
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

/** The same for text that may hold anything but NUL. */
export function textArrayLiteral(values: readonly string[]): string {
  return `{${values.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
