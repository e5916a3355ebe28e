import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { get } from '../../api/client.js';
import type { ToolHook } from '../../api/types.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Page } from '../../parts/page.js';
import { SecretDialog } from '../../parts/secret.js';
import { Empty, Loaded } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { FAIL_BEHAVIORS, HOOK_TYPES, ToolHookDialog } from './tool-hook-dialog.js';

const LIMIT = 200;

export function ToolHooksScreen() {
  const projectId = useProjectId();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const query = useQuery({
    queryKey: ['tool-hooks', projectId],
    queryFn: ({ signal }) => get<{ hooks: ToolHook[] }>(`/projects/${projectId}/tool-hooks`, { limit: LIMIT }, signal),
  });
  const create = (
    <Button look="primary" needs="resources.manage" onClick={() => setCreating(true)}>
      New tool hook
    </Button>
  );
  return (
    <Page
      title="Tool hooks"
      hint="Endpoints that are asked about tool calls while a request waits, in this order."
      actions={create}
    >
      <Card isFlush>
        <Loaded query={query}>
          {({ hooks }) =>
            hooks.length === 0 ? (
              <Empty
                title="No tool hooks yet"
                hint="A hook can allow, block or run the calls of tools, or replace their results."
              />
            ) : (
              <DataTable label="Tool hooks" rows={hooks} columns={COLUMNS} getKey={({ id }) => id} />
            )
          }
        </Loaded>
      </Card>
      {isCreating && <ToolHookDialog onClose={() => setCreating(false)} onSecret={setSecret} />}
      {secret !== undefined && (
        <SecretDialog
          title="Signing secret"
          secret={secret}
          hint="Your endpoint verifies calls with it."
          onClose={() => setSecret(undefined)}
        />
      )}
    </Page>
  );
}

const COLUMNS: readonly Column<ToolHook>[] = [
  { header: 'Endpoint', cell: (hook) => <HookLink hook={hook} /> },
  { header: 'Asked', cell: ({ hook_type: type }) => HOOK_TYPES[type] },
  {
    header: 'Tools',
    cell: ({ tools_allowlist: tools }) => (tools.length === 0 ? 'all' : tools.join(', ')),
    isSecondary: true,
  },
  { header: 'When it fails', cell: ({ fail_behavior: behavior }) => FAIL_BEHAVIORS[behavior], isSecondary: true },
  {
    header: 'State',
    cell: ({ enabled }) => <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'enabled' : 'disabled'}</Badge>,
  },
];

function HookLink({ hook: { id, endpoint_url: url } }: { hook: ToolHook }) {
  const projectId = useProjectId();
  return (
    <Link
      to="/p/$projectId/tool-hooks/$hookId"
      params={{ projectId, hookId: id }}
      className="font-medium break-all hover:underline"
    >
      {url}
    </Link>
  );
}
