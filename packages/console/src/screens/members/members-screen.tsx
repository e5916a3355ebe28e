import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/client.js';
import { meQuery } from '../../api/queries.js';
import type { Member } from '../../api/types.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { CursorPager } from '../../parts/cursor-pager.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Menu } from '../../parts/menu.js';
import { Page } from '../../parts/page.js';
import { SecretDialog } from '../../parts/secret.js';
import { Empty, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { Permitted, useMay, useRole } from '../../shell/role.js';
import { useProjectId, useTexts } from '../../shell/use-list-search.js';
import { ChangeRole } from './change-role.js';
import { Invitations } from './invitations.js';
import { InviteMember } from './invite-member.js';
import { LeaveProject } from './leave-project.js';
import { RemoveMember } from './remove-member.js';
import { mayAssign } from './role-field.js';

const LIMIT = 50;

export function MembersScreen() {
  const [isInviting, setInviting] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const [url, setUrl] = useState<string>();
  const mayRead = useMay('members.read');
  const actions = (
    <>
      <Button onClick={() => setLeaving(true)}>Leave the project</Button>
      <Button look="primary" needs="members.manage" onClick={() => setInviting(true)}>
        Invite
      </Button>
    </>
  );
  return (
    <Page title="Members" hint="Who may act in this project, and in which role." actions={actions}>
      {mayRead ? <MemberList /> : <Empty title="Your role cannot view this project's members" />}
      <Permitted needs="members.read">
        <Invitations onUrl={setUrl} />
      </Permitted>
      {isInviting && <InviteMember onClose={() => setInviting(false)} onUrl={setUrl} />}
      {isLeaving && <LeaveProject onClose={() => setLeaving(false)} />}
      {url !== undefined && (
        <SecretDialog
          title="Invitation"
          secret={url}
          hint="The link is in the email too, if this installation sends emails. It works once, for the invited address."
          onClose={() => setUrl(undefined)}
        />
      )}
    </Page>
  );
}

function MemberList() {
  const projectId = useProjectId();
  const [{ cursor }] = useTexts();
  const [changing, setChanging] = useState<Member>();
  const [removing, setRemoving] = useState<Member>();
  const { data: me } = useQuery(meQuery);
  const role = useRole();
  const query = useQuery({
    queryKey: ['members', projectId, cursor],
    queryFn: ({ signal }) =>
      get<{ members: Member[]; next_cursor?: string }>(
        `/projects/${projectId}/members`,
        { cursor, limit: LIMIT },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  const actions: Column<Member> = {
    header: 'Actions',
    isFigure: true,
    cell: (member) =>
      !member.account_owner && member.user_id !== me?.user.id && mayAssign(role, member.role) ? (
        <Menu
          trigger={
            <Button look="quiet" aria-label={`More for ${member.email}`}>
              More
            </Button>
          }
          items={[
            { label: 'Change the role', onPick: () => setChanging(member), needs: 'members.manage' },
            { label: 'Remove', onPick: () => setRemoving(member), isDanger: true, needs: 'members.manage' },
          ]}
        />
      ) : null,
  };
  return (
    <Card title="Members" isFlush>
      <Loaded query={query}>
        {({ members, next_cursor: next }) => (
          <>
            <DataTable
              label="Members"
              rows={members}
              columns={[...COLUMNS, actions]}
              getKey={({ user_id: id }) => id}
            />
            <CursorPager next={next} />
          </>
        )}
      </Loaded>
      {changing && <ChangeRole member={changing} onClose={() => setChanging(undefined)} />}
      {removing && <RemoveMember member={removing} onClose={() => setRemoving(undefined)} />}
    </Card>
  );
}

const COLUMNS: readonly Column<Member>[] = [
  { header: 'Email', cell: ({ email }) => <span className="font-medium break-all">{email}</span> },
  { header: 'Role', cell: ({ role }) => <Badge tone={role === 'owner' ? 'accent' : 'neutral'}>{role}</Badge> },
  { header: 'Since', cell: ({ joined_at: at }) => <When at={at} />, isSecondary: true },
];
