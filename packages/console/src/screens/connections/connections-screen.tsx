import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { get } from '../../api/client.js';
import type { Connection } from '../../api/types.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Page } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { ConnectionDialog } from './connection-dialog.js';
import { describeKeys, describeModels, describeVendor } from './describe-connection.js';

/** More than a project may have. */
const LIMIT = 50;

export function ConnectionsScreen() {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const query = useQuery({
    queryKey: ['connections', projectId],
    queryFn: ({ signal }) =>
      get<{ connections: Connection[] }>(`/projects/${projectId}/connections`, { limit: LIMIT }, signal),
  });
  const create = (
    <Button look="primary" needs="resources.manage" onClick={() => setCreating(true)}>
      New connection
    </Button>
  );
  const show = ({ id: connectionId }: Connection) =>
    void navigate({ to: '/p/$projectId/connections/$connectionId', params: { projectId, connectionId } });
  return (
    <Page
      title="Connections"
      hint="Model vendors that this project reaches with its own keys. You pay the vendor; your balance is not charged."
      actions={create}
    >
      <Card isFlush>
        <Loaded query={query}>
          {({ connections }) =>
            connections.length === 0 ? (
              <Empty
                title="No connections yet"
                hint="Bring your own key: requests to its models go to your vendor account, and customers pay their tier."
              />
            ) : (
              <DataTable label="Connections" rows={connections} columns={COLUMNS} getKey={({ id }) => id} />
            )
          }
        </Loaded>
      </Card>
      {isCreating && <ConnectionDialog onClose={() => setCreating(false)} onSaved={show} />}
    </Page>
  );
}

const COLUMNS: readonly Column<Connection>[] = [
  { header: 'Name', cell: (connection) => <ConnectionLink connection={connection} /> },
  { header: 'Vendor', cell: (connection) => <span className="break-all">{describeVendor(connection)}</span> },
  { header: 'Key', cell: (connection) => <span className="font-mono">{describeKeys(connection)}</span> },
  {
    header: 'Models',
    cell: (connection) => <span className="break-all">{describeModels(connection)}</span>,
    isSecondary: true,
  },
  { header: 'Routes', cell: ({ mode }) => <Badge tone="neutral">{mode === 'only' ? 'only' : 'first'}</Badge> },
];

function ConnectionLink({ connection: { id, name } }: { connection: Connection }) {
  const projectId = useProjectId();
  return (
    <Link
      to="/p/$projectId/connections/$connectionId"
      params={{ projectId, connectionId: id }}
      className="font-medium break-all hover:underline"
    >
      {name}
    </Link>
  );
}
