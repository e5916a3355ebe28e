import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { get } from '../../api/client.js';
import type { Run } from '../../api/types.js';
import { formatDuration } from '../../format/times.js';
import { Status } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { Id } from '../../parts/copy.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Select } from '../../parts/field.js';
import { Page } from '../../parts/page.js';
import { Pager } from '../../parts/pager.js';
import { Empty, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useOffset, useProjectId } from '../../shell/use-list-search.js';
import { SAMPLE_WORKFLOW } from './sample-workflow.js';
import { StartRun } from './start-run.js';

const LIMIT = 50;
/** Runs move while the page is open. */
const REFRESH_MS = 5_000;

const STATUSES = [
  ['', 'All states'],
  ['running', 'Running'],
  ['waiting', 'Waiting'],
  ['succeeded', 'Succeeded'],
  ['failed', 'Failed'],
  ['canceled', 'Canceled'],
] as const;

export function RunsScreen() {
  const projectId = useProjectId();
  const [offset, move] = useOffset();
  const [status, setStatus] = useState('');
  const query = useQuery({
    queryKey: ['runs', projectId, status, offset],
    queryFn: ({ signal }) =>
      get<{ runs: Run[]; next_cursor?: string }>(
        `/projects/${projectId}/runs`,
        { limit: LIMIT, offset, status },
        signal,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const [isStarting, setStarting] = useState(false);
  const actions = (
    <>
      <Select aria-label="State" className="!w-36" value={status} options={STATUSES} onPick={setStatus} />
      <Button look="primary" needs="models.use" onClick={() => setStarting(true)}>
        Start a run
      </Button>
    </>
  );
  return (
    <Page title="Runs" hint="Executions of workflows and agents, newest first." actions={actions}>
      <Card isFlush>
        <Loaded query={query}>
          {({ runs, next_cursor: next }) =>
            runs.length === 0 && offset === 0 ? (
              <Empty title="No runs" hint="Start one here, or with a request:" curl={curl()} />
            ) : (
              <>
                <DataTable label="Runs" rows={runs} columns={COLUMNS} getKey={({ run_id: id }) => id} />
                <Pager offset={offset} count={runs.length} limit={LIMIT} next={next} onMove={move} />
              </>
            )
          }
        </Loaded>
      </Card>
      {isStarting && <StartRun onClose={() => setStarting(false)} />}
    </Page>
  );
}

const COLUMNS: readonly Column<Run>[] = [
  { header: 'Run', cell: (run) => <RunLink run={run} /> },
  { header: 'State', cell: ({ status }) => <Status value={status} /> },
  { header: 'Customer', cell: ({ customer_id: id }) => (id ? <Id value={id} isShort /> : '–'), isSecondary: true },
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

function curl(): string {
  return [
    `curl ${location.origin}/api/v1/runs \\`,
    "  -H 'Authorization: Bearer YOUR_SECRET_KEY' -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify({ spec: SAMPLE_WORKFLOW })}'`,
  ].join('\n');
}
