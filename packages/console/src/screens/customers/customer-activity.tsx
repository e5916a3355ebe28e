import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get } from '../../api/client.js';
import type { RequestRow, Run } from '../../api/types.js';
import { Card } from '../../parts/card.js';
import { DataTable } from '../../parts/data-table.js';
import { Empty, Loaded } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { requestColumns } from '../requests/request-columns.js';
import { runColumns } from '../runs/run-columns.js';

const LIMIT = 20;
const REFRESH_MS = 5_000;

/** The customer's newest requests. */
export function CustomerRequests({ customerId }: { customerId: string }) {
  const projectId = useProjectId();
  const query = useQuery({
    queryKey: ['requests', projectId, 'of customer', customerId],
    queryFn: ({ signal }) =>
      get<{ requests: RequestRow[] }>(
        `/projects/${projectId}/requests`,
        { customer_id: customerId, limit: LIMIT },
        signal,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const all = (
    <Link
      to="/p/$projectId/requests"
      params={{ projectId }}
      search={{ customer: customerId }}
      className="text-accent hover:underline"
    >
      Show all, with filters
    </Link>
  );
  return (
    <Card title="Requests of the last 7 days" aside={all} isFlush>
      <Loaded query={query}>
        {({ requests }) =>
          requests.length === 0 ? (
            <Empty title="No requests in these days" hint="Ask as this customer in the playground, or mint a token." />
          ) : (
            <DataTable label="Requests" rows={requests} columns={requestColumns(requests)} getKey={({ id }) => id} />
          )
        }
      </Loaded>
    </Card>
  );
}

/** The customer's newest runs. */
export function CustomerRuns({ customerId }: { customerId: string }) {
  const projectId = useProjectId();
  const query = useQuery({
    queryKey: ['runs', projectId, 'of customer', customerId],
    queryFn: ({ signal }) =>
      get<{ runs: Run[] }>(`/projects/${projectId}/runs`, { customer_id: customerId, limit: LIMIT }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const all = (
    <Link
      to="/p/$projectId/runs"
      params={{ projectId }}
      search={{ customer: customerId }}
      className="text-accent hover:underline"
    >
      Show all
    </Link>
  );
  return (
    <Card title="Runs" aside={all} isFlush>
      <Loaded query={query}>
        {({ runs }) =>
          runs.length === 0 ? (
            <Empty title="No runs" hint="Start one as this customer on the page Runs." />
          ) : (
            <DataTable
              label="Runs"
              rows={runs}
              columns={runColumns.filter(({ header }) => header !== 'Customer')}
              getKey={({ run_id: id }) => id}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
