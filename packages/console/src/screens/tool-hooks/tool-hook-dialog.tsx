import { useState } from 'react';
import { call } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import type { ToolHook } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { FormDialog } from '../../parts/dialog.js';
import { SelectField, TextField } from '../../parts/field.js';
import { useProjectId } from '../../shell/use-list-search.js';

export const HOOK_TYPES: Readonly<Record<ToolHook['hook_type'], string>> = {
  pre_tool_use: 'before a tool runs',
  post_tool_use: 'after a tool has run',
  tool_execute: 'to run the tool',
};

export const FAIL_BEHAVIORS: Readonly<Record<ToolHook['fail_behavior'], string>> = {
  fail_open: 'the tool call continues',
  fail_closed: 'the tool call fails',
};

interface Saved {
  hook: ToolHook;
  signing_secret?: string;
}

const AS_USUAL = ['', 'As usual for the type'] as const;

export interface ToolHookDialogProps {
  /** The one to change; a new one without it. */
  hook?: ToolHook;
  onClose: () => void;
  /** Called with the secret of a new one. */
  onSecret?: (secret: string) => void;
}

/** Makes a tool hook, or changes one, whose type stays. */
export function ToolHookDialog({ hook, onClose, onSecret }: ToolHookDialogProps) {
  const projectId = useProjectId();
  const [url, setUrl] = useState(hook?.endpoint_url ?? '');
  const [type, setType] = useState<string>(hook?.hook_type ?? 'pre_tool_use');
  const [tools, setTools] = useState(hook?.tools_allowlist.join(' ') ?? '');
  const [seconds, setSeconds] = useState(String((hook?.timeout_ms ?? 5_000) / 1_000));
  const [failing, setFailing] = useState<string>(hook?.fail_behavior ?? '');
  const path = `/projects/${projectId}/tool-hooks`;
  const body = {
    endpoint_url: url,
    tools_allowlist: toNames(tools),
    timeout_ms: Math.round(Number(seconds) * 1_000),
    ...(failing !== '' && { fail_behavior: failing }),
  };
  const save = useAction({
    act: () =>
      hook
        ? call<Saved>('PUT', `${path}/${hook.id}`, { body })
        : call<Saved>('POST', path, { body: { ...body, hook_type: type } }),
    changes: [['tool-hooks', projectId], ...(hook ? [['tool-hook', `${path}/${hook.id}`]] : [])],
    ...(hook && { done: 'Hook changed' }),
    onDone: ({ signing_secret: secret }) => {
      onClose();
      if (secret !== undefined) onSecret?.(secret);
    },
  });
  const faults = readFieldFaults(save.error);
  return (
    <FormDialog
      title={hook ? 'Change the tool hook' : 'New tool hook'}
      action={hook ? 'Save' : 'Create'}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
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
      {!hook && <SelectField label="Asked" value={type} options={Object.entries(HOOK_TYPES)} onPick={setType} />}
      <TextField
        label="Tools"
        required={type === 'tool_execute'}
        placeholder="all tools"
        hint="Names, with spaces between them."
        value={tools}
        fault={faults.tools_allowlist}
        onChange={(event) => setTools(event.target.value)}
      />
      <TimeoutField value={seconds} fault={faults.timeout_ms} onChange={setSeconds} />
      <SelectField
        label="When it fails"
        value={failing}
        options={[...(hook ? [] : [AS_USUAL]), ...Object.entries(FAIL_BEHAVIORS)]}
        fault={faults.fail_behavior}
        onPick={setFailing}
      />
    </FormDialog>
  );
}

function toNames(tools: string): string[] {
  return tools.split(/[\s,]+/).filter((name) => name !== '');
}

interface TimeoutFieldProps {
  value: string;
  fault: string | undefined;
  onChange: (value: string) => void;
}

function TimeoutField({ value, fault, onChange }: TimeoutFieldProps) {
  return (
    <TextField
      label="Timeout in seconds"
      type="number"
      min={0.001}
      max={60}
      step="any"
      required
      value={value}
      fault={fault}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
