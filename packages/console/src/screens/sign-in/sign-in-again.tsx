import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { get } from '../../api/client.js';
import { meQuery } from '../../api/queries.js';
import { onSignedOut, readSignInOptions, signInAsDemoOwner } from '../../api/session.js';
import type { User } from '../../api/types.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { PasswordForm } from './password-form.js';
import { ProviderLinks } from './provider-links.js';

/** Asks to sign in again over the page when the session has ended, so that the page keeps what was typed. */
export function SignInAgain() {
  const [isEnded, setEnded] = useState(false);
  useEffect(() => onSignedOut((end) => setEnded(end === 'ended')), []);
  return isEnded ? <SignInDialog onEntered={() => setEnded(false)} /> : null;
}

function SignInDialog({ onEntered }: { onEntered: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const options = useQuery({ queryKey: ['sign-in-options'], queryFn: readSignInOptions });
  const enter = useMutation({
    mutationFn: async (act: () => Promise<void>) => {
      const before = client.getQueryData(meQuery.queryKey)?.user.id;
      await act();
      const { user } = await get<{ user: User }>('/auth/me');
      // Another person must see nothing of this page.
      if (before !== user.id) location.assign('/console/');
    },
    onSuccess: () => {
      onEntered();
      void client.invalidateQueries();
    },
  });
  const leave = () => void navigate({ to: '/sign-in', search: { to: location.pathname.replace('/console', '') } });
  return (
    <Dialog title="Sign in again" onClose={leave}>
      <div className="flex flex-col gap-4">
        <p>Your session has ended. The page keeps what you have typed.</p>
        {options.data?.demo_owner && (
          <Button look="primary" isBusy={enter.isPending} onClick={() => enter.mutate(signInAsDemoOwner)}>
            Continue as the local owner
          </Button>
        )}
        <PasswordForm
          isPrimary={!options.data?.demo_owner}
          isNew={false}
          isBusy={enter.isPending}
          error={enter.error}
          onEnter={enter.mutate}
        />
        <ProviderLinks
          providers={options.data?.oauth_providers ?? []}
          names={options.data?.oauth_names ?? {}}
          to={location.pathname.replace('/console', '')}
          failed={undefined}
        />
      </div>
    </Dialog>
  );
}
