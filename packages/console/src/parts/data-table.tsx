import { type ColumnDef, type RowData, tableFeatures, useTable } from '@tanstack/react-table';
import { type ReactNode, useMemo } from 'react';
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
}

/** One page of a list. The service sorts, filters and pages. */
export function DataTable<T extends RowData>({ label, rows, columns, getKey }: DataTableProps<T>) {
  const data = useMemo(() => [...rows], [rows]);
  const definitions = useMemo(() => columns.map((column, i) => toDefinition(column, i)), [columns]);
  const table = useTable({ features, columns: definitions, data, getRowId: getKey });
  return (
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
