import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { call, get } from '../../api/client.js';
import type { McpServer } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { formatDuration } from '../../format/times.js';
import { Button } from '../../parts/button.js';
import { Card, Facts } from '../../parts/card.js';
import { Confirm } from '../../parts/confirm.js';
import { Menu } from '../../parts/menu.js';
import { Page } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { ServerConnection } from './server-connection.js';
import { ServerDialog } from './server-dialog.js';
import { ServerTools } from './server-tools.js';

export function McpServerScreen() {
  const projectId = useProjectId();
  const { serverId } = useParams({ from: '/p/$projectId/mcp-servers/$serverId' });
  const path = `/projects/${projectId}/mcp-servers/${serverId}`;
  const query = useQuery({
    queryKey: ['mcp-server', path],
    queryFn: ({ signal }) => get<{ server: McpServer }>(path, {}, signal),
  });
  const trail = (
    <Link to="/p/$projectId/mcp-servers" params={{ projectId }} className="hover:underline">
      MCP servers
    </Link>
  );
  const server = query.data?.server;
  return (
    <Page
      title={server?.name ?? 'MCP server'}
      trail={trail}
      actions={server && <ServerActions server={server} path={path} />}
    >
      <Loaded query={query}>
        {({ server: each }) => (
          <>
            <Card title="Settings">
              <Facts
                rows={[
                  ['Endpoint', each.endpoint_url],
                  ['Headers', each.header_names.join(', ') || 'none'],
                  ['Tools', each.tools_allowlist.join(', ') || 'all'],
                  ['Timeout', formatDuration(each.timeout_ms)],
                  ['State', each.enabled ? 'enabled' : 'disabled'],
                ]}
              />
            </Card>
            <ServerConnection server={each} path={path} />
            <ServerTools key={each.updated_at} path={path} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function ServerActions({ server, path }: { server: McpServer; path: string }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [opened, setOpened] = useState<'edit' | 'delete'>();
  const close = () => setOpened(undefined);
  const toggle = useAction({
    act: () => call('PUT', path, { body: { enabled: !server.enabled } }),
    changes: [
      ['mcp-server', path],
      ['mcp-servers', projectId],
    ],
    done: server.enabled ? 'Server disabled' : 'Server enabled',
  });
  const remove = useAction({
    act: () => call('DELETE', path),
    changes: [['mcp-servers', projectId]],
    done: 'Server deleted',
    onDone: () => void navigate({ to: '/p/$projectId/mcp-servers', params: { projectId } }),
  });
  return (
    <>
      <Button needs="resources.manage" onClick={() => setOpened('edit')}>
        Edit
      </Button>
      <Menu
        trigger={<Button>More</Button>}
        items={[
          { label: server.enabled ? 'Disable' : 'Enable', onPick: () => toggle.mutate(), needs: 'resources.manage' },
          { label: 'Delete', onPick: () => setOpened('delete'), isDanger: true, needs: 'resources.manage' },
        ]}
      />
      {opened === 'edit' && <ServerDialog server={server} onClose={close} />}
      {opened === 'delete' && (
        <Confirm
          title="Delete the MCP server"
          action="Delete"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={close}
        >
          Agents and runs that name {server.name} fail. This cannot be undone.
        </Confirm>
      )}
    </>
  );
}
