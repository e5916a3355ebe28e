import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/client.js';
import type { Run } from '../../api/types.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { DataTable } from '../../parts/data-table.js';
import { Select } from '../../parts/field.js';
import { Page } from '../../parts/page.js';
import { Pager } from '../../parts/pager.js';
import { Empty, Loaded } from '../../parts/states.js';
import { useOffset, useProjectId, useTexts } from '../../shell/use-list-search.js';
import { CustomerLink } from '../customers/customer-link.js';
import { runColumns } from './run-columns.js';
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
  const [{ status = '', customer }, change] = useTexts();
  const query = useQuery({
    queryKey: ['runs', projectId, status, customer, offset],
    queryFn: ({ signal }) =>
      get<{ runs: Run[]; next_cursor?: string }>(
        `/projects/${projectId}/runs`,
        { limit: LIMIT, offset, status, customer_id: customer },
        signal,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const [isStarting, setStarting] = useState(false);
  const pickStatus = (value: string) => change({ status: value });
  const actions = (
    <>
      <Select aria-label="State" className="!w-36" value={status} options={STATUSES} onPick={pickStatus} />
      <Button look="primary" needs="models.use" onClick={() => setStarting(true)}>
        Start a run
      </Button>
    </>
  );
  return (
    <Page title="Runs" hint="Executions of workflows and agents, newest first." actions={actions}>
      {customer !== undefined && (
        <div className="flex flex-wrap items-center gap-2">
          Of the customer <CustomerLink id={customer} />
          <Button look="quiet" onClick={() => change({ customer: '' })}>
            Show all
          </Button>
        </div>
      )}
      <Card isFlush>
        <Loaded query={query}>
          {({ runs, next_cursor: next }) =>
            runs.length === 0 && offset === 0 ? (
              <Empty title="No runs" hint="Start one here, or with a request:" curl={curl()} />
            ) : (
              <>
                <DataTable label="Runs" rows={runs} columns={runColumns} getKey={({ run_id: id }) => id} />
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

function curl(): string {
  return [
    `curl ${location.origin}/api/v1/runs \\`,
    "  -H 'Authorization: Bearer YOUR_SECRET_KEY' -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify({ spec: SAMPLE_WORKFLOW })}'`,
  ].join('\n');
}
