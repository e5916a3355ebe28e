import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { call, get } from '../../api/client.js';
import type { StateHandleData } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { formatAmount } from '../../format/numbers.js';
import { formatMoment } from '../../format/times.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card, Facts } from '../../parts/card.js';
import { Confirm } from '../../parts/confirm.js';
import { CopyButton, Id } from '../../parts/copy.js';
import { Page } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { CustomerLink } from '../customers/customer-link.js';

export function StateHandleScreen() {
  const projectId = useProjectId();
  const { stateId } = useParams({ from: '/p/$projectId/state-handles/$stateId' });
  const [isDeleting, setDeleting] = useState(false);
  const path = `/projects/${projectId}/state-handles/${stateId}`;
  const query = useQuery({
    queryKey: ['state-handles', projectId, 'one', stateId],
    queryFn: ({ signal }) => get<StateHandleData>(path, {}, signal),
  });
  const trail = (
    <Link to="/p/$projectId/state-handles" params={{ projectId }} className="hover:underline">
      State handles
    </Link>
  );
  const remove = query.data && (
    <Button look="danger" needs="resources.manage" onClick={() => setDeleting(true)}>
      Delete
    </Button>
  );
  return (
    <Page title={`State handle ${stateId.slice(0, 8)}`} trail={trail} actions={remove}>
      <Loaded query={query}>
        {(data) => (
          <>
            <Card>
              <Facts rows={toRows(data)} />
            </Card>
            <Values kv={data.kv} />
            <Tasks tasks={data.tasks} />
            {isDeleting && <DeleteHandle path={path} data={data} onClose={() => setDeleting(false)} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function toRows({ state_handle: handle }: StateHandleData) {
  return [
    ['Id', <Id key="id" value={handle.id} />],
    ['Customer', <CustomerLink key="customer" id={handle.customer_id} />],
    ['Created', formatMoment(handle.created_at)],
    ['Expires', handle.expires_at === undefined ? 'never' : formatMoment(handle.expires_at)],
  ] as const;
}

function Values({ kv }: Pick<StateHandleData, 'kv'>) {
  const entries = Object.entries(kv).sort(([a], [b]) => (a < b ? -1 : 1));
  return (
    <Card title="Values" aside={<span className="text-soft">{formatAmount(entries.length, 'key')}</span>} isFlush>
      {entries.length === 0 && (
        <p className="p-6 text-center text-soft">No tool has stored a value. The tool kv_write does.</p>
      )}
      <ul className="divide-y">
        {entries.map(([key, value]) => (
          <li key={key} className="grid gap-x-4 gap-y-1 px-4 py-2 md:grid-cols-[16rem_1fr_auto]">
            <code className="font-mono text-xs font-medium break-all">{key}</code>
            <code className="font-mono text-xs break-all whitespace-pre-wrap">{value}</code>
            <CopyButton text={value} label={`Copy the value of ${key}`} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

const TONES = { pending: 'neutral', in_progress: 'accent', completed: 'good' } as const;

function Tasks({ tasks }: Pick<StateHandleData, 'tasks'>) {
  if (tasks.length === 0) return null;
  return (
    <Card title="Tasks" isFlush>
      <ol className="divide-y">
        {tasks.map(({ content, status }, i) => (
          <li key={`${i} ${content}`} className="flex items-baseline justify-between gap-4 px-4 py-2">
            <span className="min-w-0 break-words">{content}</span>
            <Badge tone={TONES[status]}>{status.replace('_', ' ')}</Badge>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function DeleteHandle({ path, data, onClose }: { path: string; data: StateHandleData; onClose: () => void }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const remove = useAction({
    act: () => call('DELETE', path),
    changes: [],
    done: 'State handle deleted',
    onDone: () => void navigate({ to: '/p/$projectId/state-handles', params: { projectId } }),
  });
  return (
    <Confirm
      title="Delete the state handle"
      action="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {formatAmount(Object.keys(data.kv).length, 'value')} and {formatAmount(data.tasks.length, 'task')} are deleted.
      Requests that name the handle are refused from now on.
    </Confirm>
  );
}
