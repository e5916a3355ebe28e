import { Link } from '@tanstack/react-router';
import type { RequestRow } from '../../api/types.js';
import { moneyColumn } from '../../format/money.js';
import { formatCount } from '../../format/numbers.js';
import { formatDuration } from '../../format/times.js';
import { Status } from '../../parts/badge.js';
import type { Column } from '../../parts/data-table.js';
import { TimeOfDay } from '../../parts/when.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { CustomerLink } from '../customers/customer-link.js';

/** The columns of a list of requests; `rows` are those of the page. */
export function requestColumns(rows: readonly RequestRow[]): readonly Column<RequestRow>[] {
  const format = moneyColumn(rows.map(({ revenue_microcents: revenue }) => revenue));
  return [
    ...COLUMNS,
    { header: 'Charged', cell: ({ revenue_microcents: revenue }) => format(revenue), isFigure: true },
  ];
}

const COLUMNS: readonly Column<RequestRow>[] = [
  { header: 'Time', cell: (row) => <RequestLink row={row} /> },
  {
    header: 'Status',
    cell: ({ status, error_code: code }) => (
      <>
        <Status value={status} />
        {code !== undefined && <div className="mt-0.5 font-mono text-xs text-soft">{code}</div>}
      </>
    ),
  },
  { header: 'Customer', cell: ({ customer_id: id }) => <CustomerLink id={id} /> },
  { header: 'Model', cell: ({ model }) => model ?? '–', isSecondary: true },
  { header: 'Tier', cell: ({ tier_code: code }) => code ?? '–', isSecondary: true },
  {
    header: 'Tokens',
    isFigure: true,
    isSecondary: true,
    cell: (row) => `${formatCount(row.input_tokens)} → ${formatCount(row.output_tokens)}`,
  },
  {
    header: 'First output',
    cell: ({ first_output_ms: ms }) => (ms === undefined ? '–' : formatDuration(ms)),
    isFigure: true,
    isSecondary: true,
  },
  {
    header: 'Took',
    cell: ({ duration_ms: ms }) => (ms === undefined ? '–' : formatDuration(ms)),
    isFigure: true,
    isSecondary: true,
  },
];

function RequestLink({ row: { id, at } }: { row: RequestRow }) {
  const projectId = useProjectId();
  return (
    <Link
      to="/p/$projectId/requests/$requestId"
      params={{ projectId, requestId: id }}
      className="font-medium hover:underline"
    >
      <TimeOfDay at={at} />
    </Link>
  );
}
