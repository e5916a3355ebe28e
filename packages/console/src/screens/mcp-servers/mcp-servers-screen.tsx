import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { get } from '../../api/client.js';
import type { McpServer } from '../../api/types.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Page } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { ServerDialog } from './server-dialog.js';

/** A project has at most 100 servers. */
const LIMIT = 100;

export function McpServersScreen() {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const path = `/projects/${projectId}/mcp-servers`;
  const query = useQuery({
    queryKey: ['mcp-servers', projectId],
    queryFn: ({ signal }) => get<{ servers: McpServer[] }>(path, { limit: LIMIT }, signal),
  });
  const create = (
    <Button look="primary" needs="resources.manage" onClick={() => setCreating(true)}>
      New MCP server
    </Button>
  );
  const show = ({ id: serverId }: McpServer) =>
    void navigate({ to: '/p/$projectId/mcp-servers/$serverId', params: { projectId, serverId } });
  return (
    <Page
      title="MCP servers"
      hint="Servers of the Model Context Protocol whose tools the models of agents and runs may call."
      actions={create}
    >
      <Card isFlush>
        <Loaded query={query}>
          {({ servers }) =>
            servers.length === 0 ? (
              <Empty
                title="No MCP servers yet"
                hint="Register a server that you trust: models read its descriptions and results unchanged."
              />
            ) : (
              <DataTable label="MCP servers" rows={servers} columns={COLUMNS} getKey={({ id }) => id} />
            )
          }
        </Loaded>
      </Card>
      {isCreating && <ServerDialog onClose={() => setCreating(false)} onSaved={show} />}
    </Page>
  );
}

const COLUMNS: readonly Column<McpServer>[] = [
  { header: 'Name', cell: (server) => <ServerLink server={server} /> },
  { header: 'Endpoint', cell: ({ endpoint_url: url }) => <span className="break-all">{url}</span> },
  {
    header: 'Tools',
    cell: ({ tools_allowlist: tools }) => (tools.length === 0 ? 'all' : tools.join(', ')),
    isSecondary: true,
  },
  { header: 'Headers', cell: ({ header_names: names }) => names.join(', ') || 'none', isSecondary: true },
  {
    header: 'State',
    cell: ({ enabled }) => <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'enabled' : 'disabled'}</Badge>,
  },
];

function ServerLink({ server: { id, name } }: { server: McpServer }) {
  const projectId = useProjectId();
  return (
    <Link
      to="/p/$projectId/mcp-servers/$serverId"
      params={{ projectId, serverId: id }}
      className="font-medium break-all hover:underline"
    >
      {name}
    </Link>
  );
}
