import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/client.js';
import type { Run } from '../../api/types.js';
import { toNextDay } from '../../format/date-range.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { DataTable } from '../../parts/data-table.js';
import { Page } from '../../parts/page.js';
import { Pager } from '../../parts/pager.js';
import { Empty, Loaded } from '../../parts/states.js';
import { useOffset, useProjectId, useTexts } from '../../shell/use-list-search.js';
import { runColumns } from './run-columns.js';
import { RunFilters } from './run-filters.js';
import { SAMPLE_WORKFLOW } from './sample-workflow.js';
import { StartRun } from './start-run.js';

const LIMIT = 50;
/** Runs move while the page is open. */
const REFRESH_MS = 5_000;

export function RunsScreen() {
  const projectId = useProjectId();
  const [offset, move] = useOffset();
  const filter = useFilter();
  const query = useQuery({
    queryKey: ['runs', projectId, filter, offset],
    queryFn: ({ signal }) =>
      get<{ runs: Run[]; next_cursor?: string }>(
        `/projects/${projectId}/runs`,
        { limit: LIMIT, offset, ...filter },
        signal,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const [isStarting, setStarting] = useState(false);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const actions = (
    <Button look="primary" needs="models.use" onClick={() => setStarting(true)}>
      Start a run
    </Button>
  );
  return (
    <Page title="Runs" hint="Executions of workflows and agents, newest first." actions={actions}>
      <RunFilters />
      <Card isFlush>
        <Loaded query={query}>
          {({ runs, next_cursor: next }) =>
            runs.length === 0 && offset === 0 ? (
              <NoRuns isFiltered={isFiltered} />
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

function useFilter(): Record<string, string | undefined> {
  const [{ status, customer, agent, from, to }] = useTexts();
  return { status, customer_id: customer, agent, from, to: toNextDay(to) };
}

function NoRuns({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No such runs" hint="Change or clear the filters." />;
  return <Empty title="No runs" hint="Start one here, or with a request:" curl={curl()} />;
}

function curl(): string {
  return [
    `curl ${location.origin}/api/v1/runs \\`,
    "  -H 'Authorization: Bearer YOUR_SECRET_KEY' -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify({ spec: SAMPLE_WORKFLOW })}'`,
  ].join('\n');
}
