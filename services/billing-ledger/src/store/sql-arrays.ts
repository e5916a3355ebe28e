/** Returns constants of the code as a list of SQL literals, for `IN (…)` in a statement's text. */
export function literalList(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ');
}
