import { useQuery } from '@tanstack/react-query';
import type { ChangeEvent } from 'react';
import { modelsQuery } from '../../api/queries.js';
import { Card } from '../../parts/card.js';
import { SelectField, TextArea, TextField } from '../../parts/field.js';
import type { AgentDraft } from './agent-draft.js';

export interface AgentFieldsProps {
  draft: AgentDraft;
  isNew: boolean;
  faults: Readonly<Record<string, string>>;
  onChange: (changes: Partial<AgentDraft>) => void;
}

const POLICIES = [
  ['stop', 'Stop the agent'],
  ['continue', 'Continue, and show the model the error'],
  ['retry', 'Call the tool again'],
] as const;

const TOOLS_EXAMPLE = '[{"definition": {"type": "function", "function": {"name": "kv_read"}}}]';

export function AgentFields({ draft, isNew, faults, onChange }: AgentFieldsProps) {
  const typed = (name: keyof AgentDraft) => ({
    value: draft[name],
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange({ [name]: event.target.value }),
  });
  return (
    <>
      <Card title="Agent">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="Name" required maxLength={255} fault={faults.name} {...typed('name')} />
          <TextField
            label="Slug"
            required
            disabled={!isNew}
            fault={faults.slug}
            hint="Your code names the agent by it."
            {...typed('slug')}
          />
          <TextField label="Description" fault={faults.description} {...typed('description')} />
          <ModelField draft={draft} faults={faults} onChange={onChange} />
          <div className="sm:col-span-2">
            <TextArea
              label="Instructions"
              rows={8}
              placeholder="Answer briefly."
              fault={faults.system}
              {...typed('system')}
            />
          </div>
        </div>
      </Card>
      <ToolFields draft={draft} faults={faults} typed={typed} onChange={onChange} />
      <Card title="Bounds">
        <div className="grid gap-4 sm:grid-cols-3">
          <CountField label="Steps" placeholder="10" fault={faults.max_steps} {...typed('maxSteps')} />
          <CountField label="Seconds" placeholder="300" fault={faults.max_duration_sec} {...typed('maxDurationSec')} />
          <CountField
            label="Seconds a step"
            placeholder="60"
            fault={faults.step_timeout_sec}
            {...typed('stepTimeoutSec')}
          />
        </div>
      </Card>
    </>
  );
}

interface ToolFieldsProps extends Pick<AgentFieldsProps, 'draft' | 'faults' | 'onChange'> {
  typed: (name: keyof AgentDraft) => Pick<Typed, 'value' | 'onChange'>;
}

function ToolFields({ draft, faults, typed, onChange }: ToolFieldsProps) {
  return (
    <Card title="Tools">
      <div className="grid gap-4 lg:grid-cols-2">
        <JsonField
          label="Tools"
          fault={findFault(faults, 'tools')}
          placeholder={TOOLS_EXAMPLE}
          hint="A JSON array of definitions, fragments and MCP servers."
          {...typed('tools')}
        />
        <JsonField
          label="Input as a tool"
          fault={findFault(faults, 'input_schema')}
          placeholder='{"type": "object", "properties": {}}'
          hint="A JSON Schema. Without one, the agent takes text."
          {...typed('inputSchema')}
        />
        <JsonField
          label="Fragments"
          fault={findFault(faults, 'fragments')}
          placeholder="{}"
          hint="Subgraphs of workflows by name, which tools may run."
          {...typed('fragments')}
        />
        <div className="flex flex-col gap-4">
          <SelectField
            label="When a tool fails"
            value={draft.toolFailurePolicy}
            options={POLICIES}
            onPick={(policy) => onChange({ toolFailurePolicy: policy as AgentDraft['toolFailurePolicy'] })}
          />
          {draft.toolFailurePolicy === 'retry' && (
            <CountField label="Retries" placeholder="1" fault={faults.tool_retry_count} {...typed('toolRetryCount')} />
          )}
        </div>
      </div>
    </Card>
  );
}

function ModelField({ draft, faults, onChange }: Pick<AgentFieldsProps, 'draft' | 'faults' | 'onChange'>) {
  const { data } = useQuery(modelsQuery);
  const known = (data?.models ?? [])
    .filter(({ capabilities, serves }) => capabilities.includes('text') && serves === undefined)
    .map(({ model_id: id, display_name: name }) => [id, `${name} (${id})`] as const);
  const isListed = draft.model === '' || known.some(([id]) => id === draft.model);
  const kept = isListed ? [] : [[draft.model, draft.model] as const];
  return (
    <SelectField
      label="Model"
      value={draft.model}
      options={[['', "The default of the caller's tier"], ...kept, ...known]}
      fault={faults.model}
      onPick={(model) => onChange({ model })}
    />
  );
}

type Typed = {
  label: string;
  placeholder: string;
  hint?: string;
  fault: string | undefined;
  value: string;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
};

function JsonField(props: Typed) {
  return <TextArea rows={6} spellCheck={false} className="font-mono text-xs" {...props} />;
}

function CountField(props: Typed) {
  return <TextField inputMode="numeric" pattern="[0-9]*" {...props} />;
}

/** The service names the place within a field: `tools.0.definition`. */
function findFault(faults: AgentFieldsProps['faults'], field: string): string | undefined {
  const [place, fault] = Object.entries(faults).find(([name]) => name === field || name.startsWith(`${field}.`)) ?? [];
  return place === undefined || place === field ? fault : `${place.slice(field.length + 1)}: ${fault}`;
}
