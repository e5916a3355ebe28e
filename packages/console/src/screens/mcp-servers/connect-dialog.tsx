import { useState } from 'react';
import { call } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { FormDialog } from '../../parts/dialog.js';
import { SelectField, TextField } from '../../parts/field.js';

type Grant = 'account' | 'client';

const GRANTS: readonly (readonly [Grant, string])[] = [
  ['account', 'Of an account: you sign in'],
  ['client', 'Of a client: credentials without a sign-in'],
];

/** Connects a server to an account, which leads to its authorization server, or with the credentials of a client. */
export function ConnectDialog({ path, name, onClose }: { path: string; name: string; onClose: () => void }) {
  const [grant, setGrant] = useState<Grant>('account');
  const [clientId, setClientId] = useState('');
  const [clientSecret, setClientSecret] = useState('');
  const start = useAction({
    act: () =>
      call<{ authorization_url: string }>('POST', `${path}/authorize`, {
        body: { client_id: clientId.trim() || null, client_secret: clientSecret || null },
      }),
    changes: [],
    onDone: ({ authorization_url: url }) => window.location.assign(url),
  });
  const connect = useAction({
    act: () =>
      call('PUT', `${path}/client-credentials`, {
        body: { client_id: clientId.trim(), client_secret: clientSecret },
      }),
    changes: [['mcp-server', path]],
    done: 'Server connected',
    onDone: onClose,
  });
  const isClient = grant === 'client';
  const action = isClient ? connect : start;
  return (
    <FormDialog
      title={`Connect ${name}`}
      action={isClient ? 'Connect' : 'Continue'}
      isBusy={action.isPending}
      error={action.error}
      onSubmit={() => action.mutate()}
      onClose={onClose}
    >
      <SelectField label="Access" options={GRANTS} value={grant} onPick={(picked) => setGrant(picked as Grant)} />
      <p className="text-soft">
        {isClient
          ? 'Tollgate gets tokens for the client itself, and renews them.'
          : 'You sign in at the provider of the server and allow Tollgate to use it.'}
      </p>
      <TextField
        label="Client id"
        hint={isClient ? undefined : 'Only for providers that ask you to register a client.'}
        required={isClient}
        autoComplete="off"
        value={clientId}
        onChange={(event) => setClientId(event.target.value)}
      />
      <TextField
        label="Client secret"
        type="password"
        required={isClient}
        autoComplete="off"
        value={clientSecret}
        onChange={(event) => setClientSecret(event.target.value)}
      />
    </FormDialog>
  );
}
