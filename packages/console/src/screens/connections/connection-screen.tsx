import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { call, get } from '../../api/client.js';
import type { Connection, ConnectionTest } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { formatDuration } from '../../format/times.js';
import { Button } from '../../parts/button.js';
import { Card, Facts } from '../../parts/card.js';
import { Confirm } from '../../parts/confirm.js';
import { Page } from '../../parts/page.js';
import { Failure, Loaded } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { ConnectionDialog } from './connection-dialog.js';
import { describeKeys, describeModels, describeVendor } from './describe-connection.js';

export function ConnectionScreen() {
  const projectId = useProjectId();
  const { connectionId } = useParams({ from: '/p/$projectId/connections/$connectionId' });
  const path = `/projects/${projectId}/connections/${connectionId}`;
  const query = useQuery({
    queryKey: ['connection', path],
    queryFn: ({ signal }) => get<{ connection: Connection }>(path, {}, signal),
  });
  const [isChanging, setChanging] = useState(false);
  const trail = (
    <Link to="/p/$projectId/connections" params={{ projectId }} className="hover:underline">
      Connections
    </Link>
  );
  const connection = query.data?.connection;
  return (
    <Page
      title={connection?.name ?? 'Connection'}
      trail={trail}
      actions={
        connection && (
          <>
            <Button needs="resources.manage" onClick={() => setChanging(true)}>
              Change
            </Button>
            <DeleteButton connection={connection} path={path} />
          </>
        )
      }
    >
      <Loaded query={query}>
        {({ connection: each }) => (
          <>
            <Card title="Settings">
              <Facts
                rows={[
                  ['Vendor', describeVendor(each)],
                  ['Keys', describeKeys(each)],
                  ['Headers', each.header_names.join(', ') || 'none'],
                  ['Models', describeModels(each)],
                  ['Asked', each.mode === 'only' ? 'only this connection' : 'first; the usual routes follow'],
                ]}
              />
            </Card>
            <TestCard path={path} />
          </>
        )}
      </Loaded>
      {isChanging && connection && <ConnectionDialog connection={connection} onClose={() => setChanging(false)} />}
    </Page>
  );
}

/** Asks the vendor on request: reading the settings sends it nothing. */
function TestCard({ path }: { path: string }) {
  const test = useAction({ act: () => call<ConnectionTest>('POST', `${path}/test`, { body: {} }), changes: [] });
  const button = (
    <Button needs="resources.manage" isBusy={test.isPending} onClick={() => test.mutate()}>
      Test the connection
    </Button>
  );
  return (
    <Card title="Test" aside={button}>
      {test.error && <Failure error={test.error} />}
      <p role="status">{describeTest(test.data)}</p>
    </Card>
  );
}

function describeTest(result: ConnectionTest | undefined): string {
  if (!result) return 'A test sends a tiny request to the first model, which you pay the vendor for.';
  if (result.status === 'success') return `The vendor answered in ${formatDuration(result.latency_ms)}.`;
  return `The connection does not work: ${result.error}`;
}

function DeleteButton({ connection, path }: { connection: Connection; path: string }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = useAction({
    act: () => call('DELETE', path),
    changes: [['connections', projectId]],
    done: 'Connection deleted',
    onDone: () => void navigate({ to: '/p/$projectId/connections', params: { projectId } }),
  });
  return (
    <>
      <Button needs="resources.manage" onClick={() => setAsking(true)}>
        Delete
      </Button>
      {isAsking && (
        <Confirm
          title="Delete the connection"
          action="Delete"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          Its keys are deleted. Requests to its models go by the usual routes, which your balance pays.{' '}
          {connection.name} cannot be restored.
        </Confirm>
      )}
    </>
  );
}
