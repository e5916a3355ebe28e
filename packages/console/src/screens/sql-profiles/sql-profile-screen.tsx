import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { call, get } from '../../api/client.js';
import type { SqlProfile } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { Confirm } from '../../parts/confirm.js';
import { Page } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { SqlProfileForm } from './sql-profile-form.js';
import { TryStatement } from './try-statement.js';

/** One profile, or a new one. */
export function SqlProfileScreen() {
  const projectId = useProjectId();
  const { profileId } = useParams({ from: '/p/$projectId/sql-profiles/$profileId' });
  const isNew = profileId === 'new';
  const [isDeleting, setDeleting] = useState(false);
  const path = `/projects/${projectId}/sql-profiles`;
  const query = useQuery({
    queryKey: ['sql-profiles', projectId, 'one', profileId],
    queryFn: ({ signal }) => get<{ profile: SqlProfile }>(`${path}/${profileId}`, {}, signal),
    enabled: !isNew,
  });
  const profile = query.data?.profile;
  const trail = (
    <Link to="/p/$projectId/sql-profiles" params={{ projectId }} className="hover:underline">
      SQL profiles
    </Link>
  );
  const remove = profile && (
    <Button look="danger" needs="resources.manage" onClick={() => setDeleting(true)}>
      Delete
    </Button>
  );
  return (
    <Page title={isNew ? 'New SQL profile' : (profile?.name ?? 'SQL profile')} trail={trail} actions={remove}>
      {isNew ? (
        <SqlProfileForm path={path} />
      ) : (
        <Loaded query={query}>
          {({ profile: loaded }) => (
            <>
              <SqlProfileForm key={loaded.updated_at} path={path} profile={loaded} />
              <TryStatement profileId={loaded.id} />
              {isDeleting && <DeleteProfile path={path} profile={loaded} onClose={() => setDeleting(false)} />}
            </>
          )}
        </Loaded>
      )}
    </Page>
  );
}

function DeleteProfile({ path, profile, onClose }: { path: string; profile: SqlProfile; onClose: () => void }) {
  const { id, name, project_id: projectId } = profile;
  const navigate = useNavigate();
  const remove = useAction({
    act: () => call('DELETE', `${path}/${id}`),
    changes: [],
    done: 'SQL profile deleted',
    onDone: () => void navigate({ to: '/p/$projectId/sql-profiles', params: { projectId } }),
  });
  return (
    <Confirm
      title="Delete the SQL profile"
      action="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Statements that are to be checked by {name} are refused from now on.
    </Confirm>
  );
}
