import { useInfiniteQuery } from '@tanstack/react-query';
import { call, get } from '../../api/client.js';
import type { Invitation } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Menu } from '../../parts/menu.js';
import { Empty, Failure, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useProjectId } from '../../shell/use-list-search.js';

const LIMIT = 50;

/** Invitations that were not accepted yet. `onUrl` gets the new link of an invitation that was sent again. */
export function Invitations({ onUrl }: { onUrl: (url: string | undefined) => void }) {
  const projectId = useProjectId();
  const path = `/projects/${projectId}/invitations`;
  const query = useInfiniteQuery({
    queryKey: ['invitations', projectId],
    queryFn: ({ signal, pageParam }) =>
      get<{ invitations: Invitation[]; next_cursor?: string }>(path, { limit: LIMIT, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
  });
  const changes = [['invitations', projectId]];
  const resend = useAction({
    act: ({ id }: Invitation) => call<{ invitation: Invitation }>('POST', `${path}/${id}/resend`, { body: {} }),
    changes,
    done: 'Invitation sent again',
    onDone: ({ invitation }) => onUrl(invitation.url),
  });
  const revoke = useAction({
    act: ({ id }: Invitation) => call('DELETE', `${path}/${id}`),
    changes,
    done: 'Invitation revoked',
  });
  const actions: Column<Invitation> = {
    header: 'Actions',
    isFigure: true,
    cell: (invitation) => (
      <Menu
        trigger={
          <Button look="quiet" aria-label={`More for ${invitation.email}`}>
            More
          </Button>
        }
        items={[
          { label: 'Send again', onPick: () => resend.mutate(invitation), needs: 'members.manage' },
          { label: 'Revoke', onPick: () => revoke.mutate(invitation), isDanger: true, needs: 'members.manage' },
        ]}
      />
    ),
  };
  const error = resend.error ?? revoke.error;
  return (
    <Card title="Open invitations" isFlush>
      {error && <Failure error={error} />}
      <Loaded query={query}>
        {({ pages }) => {
          const invitations = pages.flatMap((page) => page.invitations);
          if (invitations.length === 0) return <Empty title="No open invitations" />;
          return (
            <DataTable
              label="Open invitations"
              rows={invitations}
              columns={[...COLUMNS, actions]}
              getKey={({ id }) => id}
            />
          );
        }}
      </Loaded>
      {query.hasNextPage && <Button onClick={() => void query.fetchNextPage()}>Show more</Button>}
    </Card>
  );
}

const COLUMNS: readonly Column<Invitation>[] = [
  { header: 'Email', cell: ({ email }) => <span className="font-medium break-all">{email}</span> },
  { header: 'Role', cell: ({ role }) => <Badge tone="neutral">{role}</Badge> },
  { header: 'Expires', cell: ({ expires_at: at }) => <When at={at} />, isSecondary: true },
];
