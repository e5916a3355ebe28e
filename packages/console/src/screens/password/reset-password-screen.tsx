import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useOneTimeCode } from '../../api/one-time-code.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import { completePasswordReset } from '../../api/session.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { Failure } from '../../parts/states.js';
import { Entrance } from '../../shell/entrance.js';

const PASSWORD_LENGTH_MIN = 12;

export function ResetPasswordScreen() {
  const code = useOneTimeCode();
  const [password, setPassword] = useState('');
  const reset = useMutation({ mutationFn: () => completePasswordReset(code, password) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reset.mutate();
  };
  return (
    <Entrance title="Choose a new password">
      {reset.isSuccess ? (
        <p role="status" className="rounded-lg border bg-surface p-4">
          Your password was changed, and all sessions have ended.{' '}
          <Link to="/sign-in" className="font-medium text-accent underline">
            Sign in
          </Link>
        </p>
      ) : (
        <form onSubmit={submit} className="flex flex-col gap-4 rounded-lg border bg-surface p-4">
          <TextField
            label="New password"
            type="password"
            autoComplete="new-password"
            required
            minLength={PASSWORD_LENGTH_MIN}
            hint={`At least ${PASSWORD_LENGTH_MIN} characters.`}
            value={password}
            fault={readFieldFaults(reset.error).password}
            onChange={(event) => setPassword(event.target.value)}
          />
          {reset.error && <Failure error={reset.error} />}
          <Button type="submit" look="primary" isBusy={reset.isPending}>
            Change the password
          </Button>
        </form>
      )}
      <p className="text-center text-soft">
        <Link to="/forgot-password" className="font-medium text-accent underline">
          Ask for another link
        </Link>
      </p>
    </Entrance>
  );
}
