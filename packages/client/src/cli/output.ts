import type { GlobalOptions, Shell } from './shell.js';

/** A column of a table: its title, and the text of a row. */
export type Column<Row> = readonly [title: string, read: (row: Row) => string | number | undefined];

/** Prints rows as a table, or with --json as an array. */
export function printRows<Row>(
  shell: Pick<Shell, 'print'>,
  { json }: GlobalOptions,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): void {
  if (json) shell.print(JSON.stringify(rows, undefined, 2));
  else for (const line of formatTable(rows, columns)) shell.print(line);
}

/** Prints names and values, or with --json the object itself. */
export function printFields(
  shell: Pick<Shell, 'print'>,
  { json }: GlobalOptions,
  value: object,
  fields: readonly (readonly [string, string | number | undefined])[],
): void {
  if (json) {
    shell.print(JSON.stringify(value, undefined, 2));
    return;
  }
  const shown = fields.filter(([, text]) => text !== undefined && text !== '');
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  for (const [name, text] of shown) shell.print(`${name.padEnd(width)}  ${clean(String(text))}`);
}

export function formatTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
  const cells = rows.map((row) => columns.map(([, read]) => clean(String(read(row) ?? '–'))));
  const isNumber = columns.map(
    ([, read]) => rows.length > 0 && rows.every((row) => typeof (read(row) ?? 0) === 'number'),
  );
  const lines = [columns.map(([title]) => title.toUpperCase()), ...cells];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => (line[i] as string).length)));
  const pad = (text: string, i: number) =>
    isNumber[i] ? text.padStart(widths[i] as number) : text.padEnd(widths[i] as number);
  return lines.map((line) => line.map(pad).join('  ').trimEnd());
}

/** Names come from other people: a control character could rewrite the terminal. */
export function clean(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '�');
}

/** `1234500000` microcents are `$12.345`; at least cents. */
export function formatMoney(microcents: number | undefined): string | undefined {
  if (microcents === undefined) return undefined;
  const sign = microcents < 0 ? '-' : '';
  const [whole, fraction = ''] = (Math.abs(microcents) / 1e8).toFixed(6).split('.');
  return `${sign}$${whole}.${fraction.replace(/0{1,4}$/, '')}`;
}

export function formatTime(time: string | undefined): string | undefined {
  return time === undefined ? undefined : `${time.slice(0, 10)} ${time.slice(11, 19)}`;
}
