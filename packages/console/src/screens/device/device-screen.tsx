import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.js';
import { meQuery } from '../../api/queries.js';
import type { OwnerDevice } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { Failure, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { Entrance } from '../../shell/entrance.js';

type Decision = 'approve' | 'deny';

/** Opened by the address that a command line shows: signs it in as the user of this browser (RFC 8628). */
export function DeviceScreen() {
  const { user_code: userCode } = useSearch({ from: '/device' });
  return (
    <Entrance title="Sign in a device">
      {userCode === undefined ? <CodeForm /> : <Request key={userCode} userCode={userCode} />}
    </Entrance>
  );
}

function CodeForm() {
  const navigate = useNavigate();
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: '/device', search: { user_code: code.trim() } });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4 rounded-lg border bg-surface p-4">
      <TextField
        label="Code"
        hint="The eight letters that your terminal shows."
        required
        maxLength={32}
        autoComplete="off"
        autoCapitalize="characters"
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button type="submit" look="primary">
        Continue
      </Button>
    </form>
  );
}

function Request({ userCode }: { userCode: string }) {
  const [decided, setDecided] = useState<Decision>();
  const query = useQuery({
    queryKey: ['owner-device', userCode],
    queryFn: ({ signal }) =>
      call<OwnerDevice>('POST', '/auth/owner-device/preview', { body: { user_code: userCode }, signal }),
    // Its decision makes the code unknown.
    enabled: decided === undefined,
    retry: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  if (decided !== undefined) {
    return (
      <p role="status" className="rounded-lg border bg-surface p-4">
        {decided === 'approve'
          ? `${query.data?.client_name ?? 'The device'} is signed in. Return to your terminal. You can end it under Sign-ins.`
          : 'The request was denied. You can close this page.'}
      </p>
    );
  }
  if (query.error) {
    return (
      <>
        <Failure error={query.error} />
        <CodeForm />
      </>
    );
  }
  return <Loaded query={query}>{(device) => <Choice {...{ device, userCode }} onDecided={setDecided} />}</Loaded>;
}

interface ChoiceProps {
  device: OwnerDevice;
  userCode: string;
  onDecided: (decision: Decision) => void;
}

function Choice({ device, userCode, onDecided }: ChoiceProps) {
  const me = useQuery(meQuery);
  const decide = useAction({
    act: async (decision: Decision) => {
      await call('POST', '/auth/owner-device/approve', { body: { user_code: userCode, decision } });
      return decision;
    },
    changes: [['sign-ins']],
    onDone: onDecided,
  });
  return (
    <div className="flex flex-col gap-4 rounded-lg border bg-surface p-4">
      <p>
        <strong className="break-words">{device.client_name}</strong> asks to act as{' '}
        <strong className="break-words">{me.data?.user.email ?? 'you'}</strong>.
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt className="text-soft">Code</dt>
        <dd className="font-mono font-semibold break-words">{userCode}</dd>
        <dt className="text-soft">Address</dt>
        <dd className="font-mono break-words">{device.address}</dd>
        <dt className="text-soft">Asked</dt>
        <dd>
          <When at={device.requested_at} />
        </dd>
      </dl>
      <p className="text-soft">
        Approve only if you started this yourself and your terminal shows the same code. The program may do all that you
        may do.
      </p>
      {decide.error && <Failure error={decide.error} />}
      <div className="flex gap-2">
        <Button look="primary" isBusy={decide.isPending} onClick={() => decide.mutate('approve')}>
          Approve
        </Button>
        <Button isBusy={decide.isPending} onClick={() => decide.mutate('deny')}>
          Deny
        </Button>
      </div>
    </div>
  );
}
