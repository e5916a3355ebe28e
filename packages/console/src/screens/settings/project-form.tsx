import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import type { Project } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { CheckField, TextArea, TextField } from '../../parts/field.js';
import { Failure } from '../../parts/states.js';
import { useUnsavedInput } from '../../shell/use-unsaved-input.js';

export function ProjectForm({ project }: { project: Project }) {
  const [name, setName] = useState(project.name);
  const [description, setDescription] = useState(project.description ?? '');
  const [markup, setMarkup] = useState(String(project.markup_percentage));
  const [claims, setClaims] = useState(project.publishable_claims);
  const [cache, setCache] = useState(project.response_cache);
  const [drops, setDrops] = useState(project.unsupported_parameters === 'drop');
  const [mcp, setMcp] = useState(project.mcp_for_customers);
  const [color, setColor] = useState(project.portal_color ?? '');
  const [origins, setOrigins] = useState(project.portal_origins.join('\n'));
  const body = {
    name,
    ...toPortalSettings(color, origins),
    description: description === '' ? null : description,
    markup_percentage: Number(markup),
    publishable_claims: claims,
    response_cache: cache,
    unsupported_parameters: drops ? 'drop' : 'refuse',
    mcp_for_customers: mcp,
  };
  const markSaved = useUnsavedInput(body);
  const save = useAction({
    act: () => call('PUT', `/projects/${project.id}`, { body }),
    changes: [['projects']],
    done: 'Settings saved',
    onDone: markSaved,
  });
  const faults = readFieldFaults(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} className="flex max-w-xl flex-col gap-4">
      <TextField
        label="Name"
        required
        value={name}
        fault={faults.name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextArea
        label="Description"
        rows={2}
        value={description}
        fault={faults.description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <TextField
        label="Markup in percent"
        type="number"
        min={0}
        max={100}
        step="any"
        required
        value={markup}
        hint="Added to the catalog's prices for models of tiers that have no price of their own."
        fault={faults.markup_percentage}
        onChange={(event) => setMarkup(event.target.value)}
      />
      <CustomerFields claims={claims} mcp={mcp} onClaims={setClaims} onMcp={setMcp} />
      <RequestFields cache={cache} drops={drops} onCache={setCache} onDrops={setDrops} />
      <PortalFields color={color} origins={origins} faults={faults} onColor={setColor} onOrigins={setOrigins} />
      {save.error && <Failure error={save.error} />}
      <footer>
        <Button type="submit" look="primary" needs="project.update" isBusy={save.isPending}>
          Save
        </Button>
      </footer>
    </form>
  );
}

interface CustomerFieldsProps {
  claims: boolean;
  mcp: boolean;
  onClaims(value: boolean): void;
  onMcp(value: boolean): void;
}

function CustomerFields({ claims, mcp, onClaims, onMcp }: CustomerFieldsProps) {
  return (
    <>
      <CheckField
        label="Publishable keys may claim customers"
        checked={claims}
        onChange={(event) => onClaims(event.target.checked)}
      />
      <CheckField
        label="Customers may use agents as MCP tools"
        hint="Otherwise only secret keys list and call the project's agents at /v1/mcp."
        checked={mcp}
        onChange={(event) => onMcp(event.target.checked)}
      />
    </>
  );
}

interface RequestFieldsProps {
  cache: boolean;
  drops: boolean;
  onCache(value: boolean): void;
  onDrops(value: boolean): void;
}

function RequestFields({ cache, drops, onCache, onDrops }: RequestFieldsProps) {
  return (
    <>
      <CheckField
        label="Cache responses"
        hint="Answers exact repeats of requests at temperature 0 from a cache."
        checked={cache}
        onChange={(event) => onCache(event.target.checked)}
      />
      <CheckField
        label="Drop parameters that a provider lacks"
        hint="Otherwise such requests are refused. Answers name what was dropped."
        checked={drops}
        onChange={(event) => onDrops(event.target.checked)}
      />
    </>
  );
}

/** An empty color is none; origins are one a line. */
function toPortalSettings(color: string, origins: string) {
  return {
    portal_color: color.trim() === '' ? null : color.trim(),
    portal_origins: origins.split(/\s+/).filter((origin) => origin !== ''),
  };
}

interface PortalFieldsProps {
  color: string;
  /** One a line. */
  origins: string;
  faults: Readonly<Record<string, string>>;
  onColor: (color: string) => void;
  onOrigins: (origins: string) => void;
}

function PortalFields({ color, origins, faults, onColor, onOrigins }: PortalFieldsProps) {
  return (
    <>
      <TextField
        label="Color of the customer portal"
        placeholder="#1d4ed8"
        value={color}
        hint="Of buttons and marks. It is adjusted where it could not be read."
        fault={faults.portal_color}
        onChange={(event) => onColor(event.target.value)}
      />
      <TextArea
        label="Pages that may embed the portal"
        rows={2}
        placeholder="https://app.example.com"
        value={origins}
        hint="One origin a line. Without any, the portal is shown in no frame."
        fault={findOriginFault(faults)}
        onChange={(event) => onOrigins(event.target.value)}
      />
    </>
  );
}

/** The service names the line: `portal_origins.0`. */
function findOriginFault(faults: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(faults).find(([field]) => field.startsWith('portal_origins'))?.[1];
}
