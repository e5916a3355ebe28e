import { useState } from 'react';
import { call } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import type { Connection } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { FormDialog } from '../../parts/dialog.js';
import { SelectField, TextField } from '../../parts/field.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { readModels } from './describe-connection.js';
import { PRESETS } from './vendors.js';

const OTHER = '';
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

interface Draft {
  name: string;
  vendor: string;
  wire: string;
  url: string;
  key: string;
  models: string;
  mode: string;
}

const EMPTY: Draft = {
  name: '',
  vendor: 'anthropic',
  wire: 'openai-chat',
  url: '',
  key: '',
  models: '',
  mode: 'prefer',
};

function toBody({ name, vendor, wire, url, key, models, mode }: Draft): object {
  return {
    name: name.trim(),
    mode,
    ...(vendor === OTHER ? { wire } : { preset: vendor }),
    ...(url.trim() && { base_url: url.trim() }),
    ...(key.trim() && { keys: [{ secret: key.trim() }] }),
    models: readModels(models),
  };
}

/** Adds a connection. The vendor is asked before it is stored, so saving takes a moment. */
export function NewConnection({ onClose, onSaved }: { onClose: () => void; onSaved: (saved: Connection) => void }) {
  const projectId = useProjectId();
  const [draft, setDraft] = useState(EMPTY);
  const save = useAction({
    act: () => call<{ connection: Connection }>('POST', `/projects/${projectId}/connections`, { body: toBody(draft) }),
    changes: [['connections', projectId]],
    done: 'Connection added',
    onDone: ({ connection }) => {
      onClose();
      onSaved(connection);
    },
  });
  return (
    <FormDialog
      title="New connection"
      action="Test and add"
      isBusy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Fields
        draft={draft}
        faults={readFieldFaults(save.error)}
        onChange={(change) => setDraft({ ...draft, ...change })}
      />
    </FormDialog>
  );
}

interface FieldsProps {
  draft: Draft;
  faults: Readonly<Record<string, string>>;
  onChange: (change: Partial<Draft>) => void;
}

function Fields({ draft, faults, onChange }: FieldsProps) {
  return (
    <>
      <TextField
        label="Name"
        required
        placeholder="my-anthropic"
        value={draft.name}
        fault={faults.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <ServerFields draft={draft} faults={faults} onChange={onChange} />
      <TextField
        label="Key"
        type="password"
        autoComplete="new-password"
        hint="Stored encrypted; only its last four characters are shown again."
        value={draft.key}
        fault={faults.keys}
        onChange={(event) => onChange({ key: event.target.value })}
      />
      <TextField
        label="Models"
        required
        placeholder="anthropic/claude-sonnet-5-5"
        hint="Ids of the catalog, with spaces between them; id=name where the vendor has another name."
        value={draft.models}
        fault={faults['models[0].model'] ?? faults.models}
        onChange={(event) => onChange({ models: event.target.value })}
      />
      <SelectField label="Asked" options={MODES} value={draft.mode} onPick={(mode) => onChange({ mode })} />
    </>
  );
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
