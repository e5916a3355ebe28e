import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/client.js';
import type { RequestRow } from '../../api/types.js';
import { toDateRange } from '../../format/date-range.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { CursorPager } from '../../parts/cursor-pager.js';
import { DataTable } from '../../parts/data-table.js';
import { Page } from '../../parts/page.js';
import { Empty, Failure, Loaded } from '../../parts/states.js';
import { RangePicker } from '../../shell/range-picker.js';
import { useProjectId, useRange, useTexts } from '../../shell/use-list-search.js';
import { requestColumns } from './request-columns.js';
import { RequestFilters } from './request-filters.js';
import { useLiveRequests } from './use-live-requests.js';

const LIMIT = 50;

export function RequestsScreen() {
  const [isLive, setLive] = useState(false);
  const actions = (
    <>
      {!isLive && <RangePicker />}
      <Button look={isLive ? 'primary' : 'plain'} aria-pressed={isLive} onClick={() => setLive(!isLive)}>
        {isLive ? 'Stop following' : 'Follow live'}
      </Button>
    </>
  );
  return (
    <Page
      title="Requests"
      hint="One line per request, newest first, about a second after its end."
      actions={actions}
      isWide
    >
      <RequestFilters />
      <Card isFlush>{isLive ? <LiveList /> : <StoredList />}</Card>
    </Page>
  );
}

function useFilters(): Record<string, string | undefined> {
  const [{ status, model, customer, key }] = useTexts();
  return { status, model, customer_id: customer, key_id: key };
}

function StoredList() {
  const projectId = useProjectId();
  const filters = useFilters();
  const [{ cursor }] = useTexts();
  const [range] = useRange();
  const { from, to } = toDateRange(range, Date.now());
  const asked = { ...filters, from, to, limit: LIMIT, cursor };
  const query = useQuery({
    queryKey: ['requests', projectId, asked],
    queryFn: ({ signal }) =>
      get<{ requests: RequestRow[]; next_cursor?: string }>(`/projects/${projectId}/requests`, asked, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={query}>
      {({ requests, next_cursor: next }) =>
        requests.length === 0 && cursor === undefined ? (
          <Empty title="No such requests" hint="Send one from the playground, or change the filters and the days." />
        ) : (
          <>
            <Rows rows={requests} />
            <CursorPager next={next} />
          </>
        )
      }
    </Loaded>
  );
}

function LiveList() {
  const projectId = useProjectId();
  const { rows, error, isConnected } = useLiveRequests(projectId, useFilters());
  if (error) return <Failure error={error} />;
  return (
    <>
      <p role="status" className="px-4 pt-3">
        <Badge tone={isConnected ? 'good' : 'warn'}>{isConnected ? 'live' : 'connecting …'}</Badge>
      </p>
      {rows.length === 0 ? (
        <Empty title="Waiting for requests" hint="They appear here as they end." />
      ) : (
        <Rows rows={rows} />
      )}
    </>
  );
}

function Rows({ rows }: { rows: readonly RequestRow[] }) {
  return <DataTable label="Requests" rows={rows} columns={requestColumns(rows)} getKey={({ id }) => id} canSave />;
}
