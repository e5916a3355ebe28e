import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { call, get } from '../../api/client.js';
import type { ToolHook, ToolHookEvent } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { formatDuration } from '../../format/times.js';
import { Status } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card, Facts } from '../../parts/card.js';
import { Confirm } from '../../parts/confirm.js';
import { Id } from '../../parts/copy.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Menu } from '../../parts/menu.js';
import { Page } from '../../parts/page.js';
import { Pager } from '../../parts/pager.js';
import { Empty, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useOffset, useProjectId } from '../../shell/use-list-search.js';
import { FAIL_BEHAVIORS, HOOK_TYPES, ToolHookDialog } from './tool-hook-dialog.js';

const LIMIT = 50;

const COLUMNS: readonly Column<ToolHookEvent>[] = [
  { header: 'When', cell: ({ created_at: at }) => <When at={at} /> },
  { header: 'Outcome', cell: ({ status }) => <Status value={status} /> },
  { header: 'Answer', cell: ({ response_status: status, error }) => status ?? error ?? '–', isSecondary: true },
  { header: 'Request', cell: ({ request_id: id }) => <Id value={id} isShort />, isSecondary: true },
  { header: 'Took', cell: ({ latency_ms: ms }) => formatDuration(ms), isFigure: true },
];

export function ToolHookScreen() {
  const projectId = useProjectId();
  const { hookId } = useParams({ from: '/p/$projectId/tool-hooks/$hookId' });
  const path = `/projects/${projectId}/tool-hooks/${hookId}`;
  const query = useQuery({
    queryKey: ['tool-hook', path],
    queryFn: ({ signal }) => get<{ hook: ToolHook }>(path, {}, signal),
  });
  const trail = (
    <Link to="/p/$projectId/tool-hooks" params={{ projectId }} className="hover:underline">
      Tool hooks
    </Link>
  );
  const hook = query.data?.hook;
  return (
    <Page
      title={hook?.endpoint_url ?? 'Tool hook'}
      trail={trail}
      actions={hook && <HookActions hook={hook} path={path} />}
    >
      <Loaded query={query}>
        {({ hook: each }) => (
          <Card title="Settings">
            <Facts
              rows={[
                ['Asked', HOOK_TYPES[each.hook_type]],
                ['Tools', each.tools_allowlist.join(', ') || 'all'],
                ['Timeout', formatDuration(each.timeout_ms)],
                ['When it fails', FAIL_BEHAVIORS[each.fail_behavior]],
                ['State', each.enabled ? 'enabled' : 'disabled'],
              ]}
            />
          </Card>
        )}
      </Loaded>
      <Calls path={path} />
    </Page>
  );
}

function Calls({ path }: { path: string }) {
  const [offset, move] = useOffset();
  const query = useQuery({
    queryKey: ['tool-hook', path, 'events', offset],
    queryFn: ({ signal }) =>
      get<{ events: ToolHookEvent[]; next_cursor?: string }>(`${path}/events`, { limit: LIMIT, offset }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <Card title="Calls" isFlush>
      <Loaded query={query}>
        {({ events, next_cursor: next }) =>
          events.length === 0 && offset === 0 ? (
            <Empty title="No calls yet" hint="A call appears here when a model uses a tool that the hook covers." />
          ) : (
            <>
              <DataTable label="Calls" rows={events} columns={COLUMNS} getKey={({ id }) => id} />
              <Pager offset={offset} count={events.length} limit={LIMIT} next={next} onMove={move} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

function HookActions({ hook, path }: { hook: ToolHook; path: string }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [isChanging, setChanging] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const changes = [
    ['tool-hook', path],
    ['tool-hooks', projectId],
  ];
  const test = useAction({ act: () => call('POST', `${path}/test`, { body: {} }), changes, done: 'Sample call sent' });
  const toggle = useAction({
    act: () => call('PUT', path, { body: { enabled: !hook.enabled } }),
    changes,
    done: hook.enabled ? 'Hook disabled' : 'Hook enabled',
  });
  const remove = useAction({
    act: () => call('DELETE', path),
    changes: [['tool-hooks', projectId]],
    done: 'Hook deleted',
    onDone: () => void navigate({ to: '/p/$projectId/tool-hooks', params: { projectId } }),
  });
  return (
    <>
      <Button needs="resources.manage" isBusy={test.isPending} onClick={() => test.mutate()}>
        Send a sample
      </Button>
      <Button needs="resources.manage" onClick={() => setChanging(true)}>
        Change
      </Button>
      <Menu
        trigger={<Button>More</Button>}
        items={[
          { label: hook.enabled ? 'Disable' : 'Enable', onPick: () => toggle.mutate(), needs: 'resources.manage' },
          { label: 'Delete', onPick: () => setDeleting(true), isDanger: true, needs: 'resources.manage' },
        ]}
      />
      {isChanging && <ToolHookDialog hook={hook} onClose={() => setChanging(false)} />}
      {isDeleting && (
        <Confirm
          title="Delete the tool hook"
          action="Delete"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setDeleting(false)}
        >
          Tool calls are not sent there any more. This cannot be undone.
        </Confirm>
      )}
    </>
  );
}
