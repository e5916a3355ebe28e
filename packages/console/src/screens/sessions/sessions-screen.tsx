import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get } from '../../api/client.js';
import type { Session } from '../../api/types.js';
import { formatCount } from '../../format/numbers.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Page } from '../../parts/page.js';
import { Pager } from '../../parts/pager.js';
import { Empty, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useOffset, useProjectId } from '../../shell/use-list-search.js';
import { CustomerLink } from '../customers/customer-link.js';

const LIMIT = 50;

/** Conversations that runs and responses continue. */
export function SessionsScreen() {
  const projectId = useProjectId();
  const [offset, move] = useOffset();
  const query = useQuery({
    queryKey: ['sessions', projectId, offset],
    queryFn: ({ signal }) =>
      get<{ sessions: Session[]; next_cursor?: string }>(
        `/projects/${projectId}/sessions`,
        { limit: LIMIT, offset },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Sessions" hint="Conversations that requests and runs continue.">
      <Card isFlush>
        <Loaded query={query}>
          {({ sessions, next_cursor: next }) =>
            sessions.length === 0 && offset === 0 ? (
              <Empty title="No sessions yet" hint="This request starts one." curl={toCurl()} />
            ) : (
              <>
                <DataTable label="Sessions" rows={sessions} columns={COLUMNS} getKey={({ id }) => id} />
                <Pager offset={offset} count={sessions.length} limit={LIMIT} next={next} onMove={move} />
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

const COLUMNS: readonly Column<Session>[] = [
  { header: 'Session', cell: ({ id }) => <SessionLink id={id} /> },
  { header: 'Customer', cell: ({ customer_id: id }) => <CustomerLink id={id} />, isSecondary: true },
  { header: 'Messages', cell: ({ message_count: count }) => formatCount(count), isFigure: true },
  { header: 'Changed', cell: ({ updated_at: at }) => <When at={at} /> },
];

function SessionLink({ id }: { id: string }) {
  const projectId = useProjectId();
  return (
    <Link
      to="/p/$projectId/sessions/$sessionId"
      params={{ projectId, sessionId: id }}
      className="font-mono text-xs font-medium text-accent hover:underline"
    >
      {id.slice(0, 8)}
    </Link>
  );
}

function toCurl(): string {
  return [
    `curl ${location.origin}/api/v1/sessions \\`,
    "  -H 'Authorization: Bearer YOUR_SECRET_KEY' \\",
    "  -H 'Content-Type: application/json' -d '{}'",
  ].join('\n');
}
