import { useState } from 'react';
import { call } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import type { ToolHook } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { FormDialog } from '../../parts/dialog.js';
import { SelectField, TextField } from '../../parts/field.js';
import { useProjectId } from '../../shell/use-list-search.js';

const TYPES = [
  ['pre_tool_use', 'Before a tool runs'],
  ['post_tool_use', 'After a tool has run'],
  ['tool_execute', 'To run the tool'],
] as const;

export function CreateToolHook({ onClose, onSecret }: { onClose: () => void; onSecret: (secret: string) => void }) {
  const projectId = useProjectId();
  const [url, setUrl] = useState('');
  const [type, setType] = useState('pre_tool_use');
  const [tools, setTools] = useState('');
  const names = tools.split(/[\s,]+/).filter((name) => name !== '');
  const create = useAction({
    act: () =>
      call<{ hook: ToolHook; signing_secret: string }>('POST', `/projects/${projectId}/tool-hooks`, {
        body: { endpoint_url: url, hook_type: type, tools_allowlist: names },
      }),
    changes: [['tool-hooks', projectId]],
    onDone: ({ signing_secret: secret }) => {
      onClose();
      onSecret(secret);
    },
  });
  const faults = readFieldFaults(create.error);
  return (
    <FormDialog
      title="New tool hook"
      action="Create"
      isBusy={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Endpoint"
        type="url"
        required
        placeholder="https://example.com/hooks"
        value={url}
        fault={faults.endpoint_url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <SelectField label="Asked" value={type} options={TYPES} onPick={setType} />
      <TextField
        label="Tools"
        required={type === 'tool_execute'}
        placeholder="all tools"
        hint="Names, with spaces between them."
        value={tools}
        fault={faults.tools_allowlist}
        onChange={(event) => setTools(event.target.value)}
      />
    </FormDialog>
  );
}
