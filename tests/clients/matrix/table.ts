// The tables of results, and the document that shows them.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A table: names of columns, and rows of as many cells. */
export interface Table {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

export const PASSED = '✓';
export const FAILED = '✗';
const DOCUMENT = fileURLToPath(new URL('../README.md', import.meta.url));

/** Markdown with columns of equal width. */
export function renderTable({ columns, rows }: Table): string {
  const widths = columns.map((_, i) => Math.max(3, ...[columns, ...rows].map((row) => row[i]?.length ?? 0)));
  const renderRow = (row: readonly string[]) =>
    `| ${widths.map((width, i) => (row[i] ?? '').padEnd(width)).join(' | ')} |`;
  return [columns, widths.map((width) => '-'.repeat(width)), ...rows].map(renderRow).join('\n');
}

/** Returns the first table below a heading of the document. */
export function readTable(heading: string): string {
  const [, section = ''] = readFileSync(DOCUMENT, 'utf8').split(`\n## ${heading}\n`);
  const lines = section.split('\n');
  const start = lines.findIndex((line) => line.startsWith('|'));
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  return start < 0 ? '' : lines.slice(start, start + length).join('\n');
}

/** Results of cells, by row and column; a cell passes if all of its tests do. */
export class Results {
  readonly #cells = new Map<string, boolean>();
  readonly #versions = new Map<string, string>();

  setVersion(row: string, version: string): void {
    this.#versions.set(row, version);
  }

  /** Runs one test of a cell. */
  async record(row: string, column: string, test: () => Promise<void>): Promise<void> {
    const cell = `${row}\n${column}`;
    const hasPassed = this.#cells.get(cell) ?? true;
    this.#cells.set(cell, false);
    await test();
    this.#cells.set(cell, hasPassed);
  }

  readVersion(row: string): string {
    return this.#versions.get(row) ?? '';
  }

  /** An empty text for a cell of which no test ran. */
  render(row: string, column: string): string {
    const hasPassed = this.#cells.get(`${row}\n${column}`);
    if (hasPassed === undefined) return '';
    return hasPassed ? PASSED : FAILED;
  }
}
