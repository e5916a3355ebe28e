import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiFailure } from '../../api/failure.js';
import { readSignInOptions, register, signIn, signInAsDemoOwner } from '../../api/session.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { Failure } from '../../parts/states.js';
import { Entrance } from '../../shell/entrance.js';
import { ProviderLinks } from './provider-links.js';

const PASSWORD_LENGTH_MIN = 12;

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

interface PasswordFormProps {
  /** Whether it is the only way to sign in. */
  isPrimary: boolean;
  isNew: boolean;
  isBusy: boolean;
  error: unknown;
  onEnter: (act: () => Promise<void>) => void;
}

function PasswordForm({ isPrimary, isNew, isBusy, error, onEnter }: PasswordFormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const fields = error instanceof ApiFailure ? error.fields : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onEnter(() => (isNew ? register(email, password) : signIn(email, password)));
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4 rounded-lg border bg-surface p-4">
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        required
        value={email}
        fault={fields.email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        required
        minLength={isNew ? PASSWORD_LENGTH_MIN : 1}
        hint={isNew ? `At least ${PASSWORD_LENGTH_MIN} characters.` : undefined}
        value={password}
        fault={fields.password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {error ? <Failure error={error} /> : null}
      <Button type="submit" isBusy={isBusy} look={isPrimary ? 'primary' : 'plain'}>
        {isNew ? 'Create the account' : 'Sign in'}
      </Button>
    </form>
  );
}

/** A path of the console: nothing else may follow a sign-in. */
function toLocalPath(to: string | undefined): string {
  return to !== undefined && /^\/(?![/\\])/.test(to) ? to : '/';
}
