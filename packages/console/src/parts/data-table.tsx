import { type ColumnDef, type RowData, tableFeatures, useTable } from '@tanstack/react-table';
import { type ReactNode, type RefObject, useMemo, useRef } from 'react';
import { saveFile } from '../api/save-file.js';
import { toCsv } from '../format/to-csv.js';
import { Button } from './button.js';
import { classes } from './classes.js';
import { Scrolling } from './scrolling.js';

const features = tableFeatures({});

export interface Column<T> {
  header: string;
  cell: (row: T) => ReactNode;
  /** Figures are at the right, and all digits have the same width. */
  isFigure?: boolean;
  /** Left out on narrow screens. */
  isSecondary?: boolean;
}

export interface DataTableProps<T> {
  label: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
  getKey: (row: T) => string;
  /** Offers the rows as a file. */
  canSave?: boolean;
}

/** One page of a list. The service sorts, filters and pages. */
export function DataTable<T extends RowData>({ label, rows, columns, getKey, canSave = false }: DataTableProps<T>) {
  const data = useMemo(() => [...rows], [rows]);
  const definitions = useMemo(() => columns.map((column, i) => toDefinition(column, i)), [columns]);
  const table = useTable({ features, columns: definitions, data, getRowId: getKey });
  const region = useRef<HTMLDivElement>(null);
  return (
    <div ref={region}>
      <Scrolling label={label}>
        <table className="w-full text-left">
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id} className="border-b text-xs text-soft">
                {group.headers.map((header) => (
                  <th
                    key={header.id}
                    scope="col"
                    className={cellClasses(columns[header.index] as Column<T>, 'font-medium')}
                  >
                    <table.FlexRender header={header} />
                  </th>
                ))}
              </tr>
            ))}
          </thead>
          <tbody>
            {table.getRowModel().rows.map((row) => (
              <tr key={row.id} className="border-b last:border-0 hover:bg-raised/50">
                {row.getAllCells().map((cell, i) => (
                  <td key={cell.id} className={cellClasses(columns[i] as Column<T>)}>
                    <table.FlexRender cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
      {canSave && <SaveTable region={region} name={label} />}
    </div>
  );
}

function toDefinition<T extends RowData>({ header, cell }: Column<T>, index: number): ColumnDef<typeof features, T> {
  return { id: String(index), header, cell: ({ row }) => cell(row.original) };
}

function cellClasses<T>({ isFigure, isSecondary }: Column<T>, more?: string): string {
  return classes(
    'px-4 py-2 align-middle',
    isFigure && 'text-right whitespace-nowrap tabular-nums',
    isSecondary && 'hidden md:table-cell',
    more,
  );
}

/** Saves the rows that a table shows; moments as the API writes them. */
function SaveTable({ region, name }: { region: RefObject<HTMLDivElement | null>; name: string }) {
  const save = () => saveFile(`${name.toLowerCase().replaceAll(' ', '-')}.csv`, toCsv(readRows(region.current)));
  return (
    <div className="flex justify-end border-t px-4 py-2 print:hidden">
      <Button onClick={save}>Save as CSV</Button>
    </div>
  );
}

function readRows(region: HTMLElement | null): Record<string, string>[] {
  const names = [...(region?.querySelectorAll('th') ?? [])].map((cell) => cell.textContent.trim());
  return [...(region?.querySelectorAll('tbody tr') ?? [])].map((row) => {
    const cells = [...row.querySelectorAll('td')].map((cell, i) => [names[i] ?? '', readCell(cell)] as const);
    return Object.fromEntries(cells.filter(([header]) => header !== '' && header !== 'Actions'));
  });
}

function readCell(cell: HTMLElement): string {
  const time = cell.querySelector('time')?.dateTime;
  const parts = [...cell.childNodes].map((part) => part.textContent ?? '');
  return time ?? parts.join(' ').replaceAll(/\s+/g, ' ').trim();
}
