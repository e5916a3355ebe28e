import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { readSignInOptions, signInAsDemoOwner } from '../../api/session.js';
import { Button } from '../../parts/button.js';
import { Entrance } from '../../shell/entrance.js';
import { PasswordForm } from './password-form.js';
import { ProviderLinks } from './provider-links.js';

export function SignInScreen() {
  const { to, failed } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const [isNew, setNew] = useState(false);
  const options = useQuery({ queryKey: ['sign-in-options'], queryFn: readSignInOptions });
  const enter = useMutation({
    mutationFn: (act: () => Promise<void>) => act(),
    onSuccess: () => navigate({ to: toLocalPath(to) as string, replace: true }),
  });
  return (
    <Entrance title={isNew ? 'Create an account' : 'Sign in to Tollgate'}>
      {options.data?.demo_owner && (
        <div className="flex flex-col gap-2 rounded-lg border bg-surface p-4">
          <Button look="primary" isBusy={enter.isPending} onClick={() => enter.mutate(signInAsDemoOwner)}>
            Continue as the local owner
          </Button>
          <p className="text-xs text-soft">This is a development system: anyone who can open this page can do this.</p>
        </div>
      )}
      <ProviderLinks
        providers={options.data?.oauth_providers ?? []}
        names={options.data?.oauth_names ?? {}}
        to={toLocalPath(to)}
        failed={failed}
      />
      <PasswordForm
        isPrimary={!options.data?.demo_owner}
        isNew={isNew}
        isBusy={enter.isPending}
        error={enter.error}
        onEnter={enter.mutate}
      />
      <p className="text-center text-soft">
        {isNew ? 'Already have an account?' : 'New here?'}{' '}
        <button type="button" className="font-medium text-accent underline" onClick={() => setNew(!isNew)}>
          {isNew ? 'Sign in' : 'Create an account'}
        </button>
      </p>
      {options.data?.password_reset && (
        <p className="text-center text-soft">
          <Link to="/forgot-password" className="font-medium text-accent underline">
            Forgot your password?
          </Link>
        </p>
      )}
    </Entrance>
  );
}

/** A path of the console: nothing else may follow a sign-in. */
function toLocalPath(to: string | undefined): string {
  return to !== undefined && /^\/(?![/\\])/.test(to) ? to : '/';
}
