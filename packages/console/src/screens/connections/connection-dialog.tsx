import { useState } from 'react';
import { call } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import type { Connection } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { FormDialog } from '../../parts/dialog.js';
import { SelectField, TextField } from '../../parts/field.js';
import { useProjectId } from '../../shell/use-list-search.js';
import {
  type ConnectionDraft,
  FIRST_KEY,
  leadsElsewhere,
  NEW_CONNECTION,
  OTHER,
  toBody,
  toDraft,
  toUpdate,
} from './connection-draft.js';
import { describeKeys } from './describe-connection.js';
import { KeyRows } from './key-rows.js';
import { PRESETS } from './vendors.js';

/** They need settings of their cloud, which the API takes. */
const CLOUDS: readonly string[] = ['bedrock', 'vertex-anthropic', 'vertex-gemini'];
const VENDORS = [
  ...PRESETS.filter((name) => !CLOUDS.includes(name)).map((name) => [name, name] as const),
  [OTHER, 'Another server'] as const,
];
const WIRES = [
  ['openai-chat', 'OpenAI, chat completions'],
  ['openai-responses', 'OpenAI, responses'],
  ['anthropic', 'Anthropic, messages'],
  ['gemini', 'Gemini'],
] as const;
const MODES = [
  ['prefer', 'First; the usual routes follow if it fails'],
  ['only', 'Only this connection'],
] as const;

interface ConnectionDialogProps {
  /** The one to change; a new one without it. */
  connection?: Connection;
  onClose: () => void;
  onSaved?: (saved: Connection) => void;
}

/** Adds a connection, or changes one. The vendor is asked before it is stored, so saving takes a moment. */
export function ConnectionDialog({ connection, onClose, onSaved }: ConnectionDialogProps) {
  const projectId = useProjectId();
  const [before] = useState(() => (connection ? toDraft(connection) : NEW_CONNECTION));
  const [draft, setDraft] = useState(before);
  const path = `/projects/${projectId}/connections`;
  const save = useAction({
    act: () =>
      connection
        ? call<{ connection: Connection }>('PATCH', `${path}/${connection.id}`, { body: toUpdate(draft, before) })
        : call<{ connection: Connection }>('POST', path, { body: toBody(draft) }),
    changes: [
      ['connections', projectId],
      ['connection', `${path}/${connection?.id}`],
    ],
    done: connection ? 'Connection changed' : 'Connection added',
    onDone: (saved) => {
      onClose();
      onSaved?.(saved.connection);
    },
  });
  const faults = readFieldFaults(save.error);
  const change = (changes: Partial<ConnectionDraft>) => setDraft((earlier) => ({ ...earlier, ...changes }));
  const isOfCloud = CLOUDS.includes(before.vendor);
  return (
    <FormDialog
      title={connection ? 'Change the connection' : 'New connection'}
      action={connection ? 'Save' : 'Test and add'}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        placeholder="my-anthropic"
        value={draft.name}
        fault={faults.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      {!isOfCloud && <ServerFields draft={draft} faults={faults} onChange={change} />}
      {!isOfCloud && (
        <KeyFields connection={connection} draft={draft} before={before} fault={faults.keys} onChange={change} />
      )}
      <TextField
        label="Models"
        required
        placeholder="anthropic/claude-sonnet-5-5"
        hint="Ids of the catalog, with spaces between them; id=name where the vendor has another name."
        value={draft.models}
        fault={faults['models[0].model'] ?? faults.models}
        onChange={(event) => change({ models: event.target.value })}
      />
      <SelectField
        label="Asked"
        options={MODES}
        value={draft.mode}
        onPick={(mode) => change({ mode: mode as Connection['mode'] })}
      />
    </FormDialog>
  );
}

interface FieldsProps {
  draft: ConnectionDraft;
  faults: Readonly<Record<string, string>>;
  onChange: (change: Partial<ConnectionDraft>) => void;
}

function ServerFields({ draft, faults, onChange }: FieldsProps) {
  const isOther = draft.vendor === OTHER;
  return (
    <>
      <SelectField label="Vendor" options={VENDORS} value={draft.vendor} onPick={(vendor) => onChange({ vendor })} />
      {isOther && (
        <SelectField
          label="Form of requests"
          options={WIRES}
          value={draft.wire}
          onPick={(wire) => onChange({ wire })}
        />
      )}
      <TextField
        label="Address"
        type="url"
        required={isOther}
        placeholder={isOther ? 'https://models.example.com/v1' : 'the vendor’s own'}
        hint="Keys of AWS, Google Cloud and Entra ID are set through the API."
        value={draft.url}
        fault={faults.base_url}
        onChange={(event) => onChange({ url: event.target.value })}
      />
    </>
  );
}

interface KeyFieldsProps extends Pick<FieldsProps, 'draft' | 'onChange'> {
  connection: Connection | undefined;
  before: ConnectionDraft;
  fault: string | undefined;
}

/** Stored keys stay until they are replaced; another server needs them again. */
function KeyFields({ connection, draft, before, fault, onChange }: KeyFieldsProps) {
  const hasKeys = connection !== undefined && connection.keys.length > 0;
  const isMoved = hasKeys && leadsElsewhere(draft, before);
  const keys = draft.keys.length === 0 && (!hasKeys || isMoved) ? [FIRST_KEY] : draft.keys;
  const change = (changed: typeof keys) => onChange({ keys: changed });
  if (keys.length === 0)
    return (
      <div className="flex items-center justify-between gap-3">
        <span>
          <span className="font-medium">Keys</span>{' '}
          <span className="font-mono text-soft">{connection && describeKeys(connection)}</span>
        </span>
        <Button onClick={() => change([FIRST_KEY])}>Replace the keys</Button>
      </div>
    );
  return (
    <>
      {isMoved && (
        <p className="rounded-md bg-warn-wash px-3 py-2 text-warn">
          Type the keys again: stored keys are never sent to another server.
        </p>
      )}
      <KeyRows keys={keys} fault={fault} isRequired={isMoved} onChange={change} />
    </>
  );
}
