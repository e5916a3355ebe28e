import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.js';
import { useOneTimeCode } from '../../api/one-time-code.js';
import { previewInvitation, readAccessToken, signOut } from '../../api/session.js';
import type { InvitationPreview } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { Button, buttonClasses } from '../../parts/button.js';
import { Failure, Loaded } from '../../parts/states.js';
import { Entrance } from '../../shell/entrance.js';

/** Opened by the link of an invitation. */
export function InvitationScreen() {
  const code = useOneTimeCode();
  const query = useQuery({ queryKey: ['invitation', code], queryFn: () => previewInvitation(code), retry: false });
  return (
    <Entrance title="Invitation">
      <Loaded query={query}>
        {({ project, role, email }: InvitationPreview) => (
          <div className="flex flex-col gap-4 rounded-lg border bg-surface p-4">
            <p>
              You are invited to <strong className="break-words">{project.name}</strong> in the role {role}, as{' '}
              <strong className="break-words">{email}</strong>.
            </p>
            <Acceptance code={code} email={email} />
          </div>
        )}
      </Loaded>
    </Entrance>
  );
}

function Acceptance({ code, email }: { code: string; email: string }) {
  const session = useQuery({
    queryKey: ['signed-in'],
    queryFn: async () => (await readAccessToken()) !== undefined,
    gcTime: 0,
  });
  return (
    <Loaded query={session}>
      {(isSignedIn) =>
        isSignedIn ? (
          <Accept code={code} />
        ) : (
          <>
            <p className="text-soft">Sign in or create an account with {email} to accept.</p>
            <Link to="/sign-in" search={{ to: '/invitation' }} className={buttonClasses('primary')}>
              Continue
            </Link>
          </>
        )
      }
    </Loaded>
  );
}

function Accept({ code }: { code: string }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const accept = useAction({
    act: () => call<{ project: { id: string } }>('POST', '/invitations/accept', { body: { code } }),
    changes: [['projects']],
    onDone: ({ project: { id } }) => {
      client.removeQueries({ queryKey: ['projects'] });
      void navigate({ to: '/p/$projectId/overview', params: { projectId: id } });
    },
  });
  return (
    <>
      {accept.error && <Failure error={accept.error} />}
      <Button look="primary" isBusy={accept.isPending} onClick={() => accept.mutate()}>
        Accept the invitation
      </Button>
      {accept.error && <Button onClick={() => void signOut()}>Sign out</Button>}
    </>
  );
}
