import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { requestPasswordReset } from '../../api/session.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { Failure } from '../../parts/states.js';
import { Entrance } from '../../shell/entrance.js';

export function ForgotPasswordScreen() {
  const [email, setEmail] = useState('');
  const ask = useMutation({ mutationFn: () => requestPasswordReset(email) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate();
  };
  return (
    <Entrance title="Reset your password">
      {ask.isSuccess ? (
        <p role="status" className="rounded-lg border bg-surface p-4">
          If {email} has an account, an email with a link is on its way. The link works for half an hour.
        </p>
      ) : (
        <form onSubmit={submit} className="flex flex-col gap-4 rounded-lg border bg-surface p-4">
          <TextField
            label="Email"
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          {ask.error && <Failure error={ask.error} />}
          <Button type="submit" look="primary" isBusy={ask.isPending}>
            Send a link
          </Button>
        </form>
      )}
      <p className="text-center text-soft">
        <Link to="/sign-in" className="font-medium text-accent underline">
          Back to sign-in
        </Link>
      </p>
    </Entrance>
  );
}
