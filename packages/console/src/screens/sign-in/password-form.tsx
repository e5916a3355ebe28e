import { type FormEvent, useState } from 'react';
import { ApiFailure } from '../../api/failure.js';
import { register, signIn } from '../../api/session.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { Failure } from '../../parts/states.js';

const PASSWORD_LENGTH_MIN = 12;

export interface PasswordFormProps {
  /** Whether it is the only way to sign in. */
  isPrimary: boolean;
  isNew: boolean;
  isBusy: boolean;
  error: unknown;
  onEnter: (act: () => Promise<void>) => void;
}

export function PasswordForm({ isPrimary, isNew, isBusy, error, onEnter }: PasswordFormProps) {
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
