import { Link } from '@tanstack/react-router';
import type { Run } from '../../api/types.js';
import { formatDuration } from '../../format/times.js';
import { Status } from '../../parts/badge.js';
import type { Column } from '../../parts/data-table.js';
import { When } from '../../parts/when.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { CustomerLink } from '../customers/customer-link.js';

export const runColumns: readonly Column<Run>[] = [
  { header: 'Run', cell: (run) => <RunLink run={run} /> },
  { header: 'State', cell: ({ status }) => <Status value={status} /> },
  { header: 'Customer', cell: ({ customer_id: id }) => <CustomerLink id={id} />, isSecondary: true },
  { header: 'Started', cell: ({ created_at: at }) => <When at={at} /> },
  { header: 'Took', cell: toDuration, isFigure: true, isSecondary: true },
];

function toDuration({ created_at: from, ended_at: to }: Run): string {
  return to === undefined ? '–' : formatDuration(Date.parse(to) - Date.parse(from));
}

function RunLink({ run: { run_id: runId, name } }: { run: Run }) {
  const projectId = useProjectId();
  return (
    <Link to="/p/$projectId/runs/$runId" params={{ projectId, runId }} className="font-medium hover:underline">
      {name ?? runId.slice(0, 8)}
    </Link>
  );
}
