import type { ProjectUsage } from '../../api/types.js';
import { moneyColumn } from '../../format/money.js';
import { formatCount, formatPercent } from '../../format/numbers.js';
import { formatDuration } from '../../format/times.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { GroupLink } from './group-link.js';

type Row = ProjectUsage['usage'][number];

/** Figures of the whole range, by group. */
export function GroupTable({ rows, group }: { rows: readonly Row[]; group: string }) {
  if (rows.length === 0) return <p className="p-6 text-center text-soft">No requests in these days.</p>;
  const format = moneyColumn(rows.flatMap((row) => [row.revenue_microcents, row.margin_microcents]));
  const columns: Column<Row>[] = [
    {
      header: group.charAt(0).toUpperCase() + group.slice(1),
      cell: (row) => <GroupLink group={group} value={row.group ?? ''} />,
    },
    ...COLUMNS,
    { header: 'Usage', cell: (row) => format(row.revenue_microcents), isFigure: true },
    { header: 'Margin', cell: (row) => format(row.margin_microcents), isFigure: true, isSecondary: true },
  ];
  return <DataTable label={`Usage by ${group}`} rows={rows} columns={columns} getKey={(row) => row.group ?? ''} />;
}

const COLUMNS: readonly Column<Row>[] = [
  { header: 'Requests', cell: ({ requests }) => formatCount(requests), isFigure: true },
  {
    header: 'Errors',
    cell: ({ failed, refused, requests }) => formatPercent(failed + refused, requests),
    isFigure: true,
    isSecondary: true,
  },
  {
    header: 'Tokens',
    cell: (row) => formatCount(row.input_tokens + row.output_tokens),
    isFigure: true,
    isSecondary: true,
  },
  {
    header: 'p95',
    cell: ({ duration_p95_ms: ms }) => (ms === undefined ? '–' : formatDuration(ms)),
    isFigure: true,
    isSecondary: true,
  },
];
