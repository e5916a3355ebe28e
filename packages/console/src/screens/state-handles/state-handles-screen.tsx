import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call, get } from '../../api/client.js';
import type { StateHandle } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { useIdempotencyKey } from '../../api/use-idempotency-key.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Page } from '../../parts/page.js';
import { Pager } from '../../parts/pager.js';
import { Empty, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useOffset, useProjectId } from '../../shell/use-list-search.js';
import { CustomerLink } from '../customers/customer-link.js';

const LIMIT = 50;

/** Places where the key-value and task tools of requests keep their data. */
export function StateHandlesScreen() {
  const projectId = useProjectId();
  const [offset, move] = useOffset();
  const path = `/projects/${projectId}/state-handles`;
  const query = useQuery({
    queryKey: ['state-handles', projectId, offset],
    queryFn: ({ signal }) =>
      get<{ state_handles: StateHandle[]; next_cursor?: string }>(path, { limit: LIMIT, offset }, signal),
    placeholderData: keepPreviousData,
  });
  const [created, setCreated] = useState(0);
  const headers = useIdempotencyKey(String(created));
  const create = useAction({
    act: () => call('POST', path, { body: {}, headers }),
    changes: [['state-handles', projectId]],
    done: 'State handle created',
    onDone: () => setCreated(created + 1),
  });
  const action = (
    <Button look="primary" needs="resources.manage" isBusy={create.isPending} onClick={() => create.mutate()}>
      New state handle
    </Button>
  );
  return (
    <Page
      title="State handles"
      hint="Data that the key-value and task tools keep between requests that name the same handle."
      actions={action}
    >
      <Card isFlush>
        <Loaded query={query}>
          {({ state_handles: handles, next_cursor: next }) =>
            handles.length === 0 && offset === 0 ? (
              <Empty title="No state handles yet" hint="Make one here, or with a request:" curl={toCurl()} />
            ) : (
              <>
                <DataTable label="State handles" rows={handles} columns={COLUMNS} getKey={({ id }) => id} />
                <Pager offset={offset} count={handles.length} limit={LIMIT} next={next} onMove={move} />
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

const COLUMNS: readonly Column<StateHandle>[] = [
  { header: 'Handle', cell: ({ id }) => <HandleLink id={id} /> },
  { header: 'Customer', cell: ({ customer_id: id }) => <CustomerLink id={id} />, isSecondary: true },
  { header: 'Created', cell: ({ created_at: at }) => <When at={at} /> },
  { header: 'Expires', cell: ({ expires_at: at }) => (at ? <When at={at} /> : 'never') },
];

function HandleLink({ id }: { id: string }) {
  const projectId = useProjectId();
  return (
    <Link
      to="/p/$projectId/state-handles/$stateId"
      params={{ projectId, stateId: id }}
      className="font-mono text-xs font-medium text-accent hover:underline"
    >
      {id.slice(0, 8)}
    </Link>
  );
}

function toCurl(): string {
  return [
    `curl ${location.origin}/api/v1/state-handles \\`,
    "  -H 'Authorization: Bearer YOUR_SECRET_KEY' \\",
    "  -H 'Content-Type: application/json' -d '{\"ttl_seconds\":86400}'",
  ].join('\n');
}
