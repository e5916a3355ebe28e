import type { McpServer } from '../../api/types.js';
import { CheckField, TextField } from '../../parts/field.js';
import { type HeaderRow, HeaderRows, toHeaders } from './header-rows.js';

const TIMEOUT_MS_DEFAULT = 30_000;

/** The settings of a server as a person edits them. */
export interface ServerDraft {
  name: string;
  url: string;
  seconds: string;
  /** Names with spaces between them. */
  tools: string;
  rows: readonly HeaderRow[];
  /** Whether the rows replace the headers of the server. */
  isReplacing: boolean;
}

export function draftServer(server: McpServer | undefined): ServerDraft {
  return {
    name: server?.name ?? '',
    url: server?.endpoint_url ?? '',
    seconds: String((server?.timeout_ms ?? TIMEOUT_MS_DEFAULT) / 1_000),
    tools: server?.tools_allowlist.join(' ') ?? '',
    rows: [{ key: 0, name: '', value: '' }],
    isReplacing: server === undefined,
  };
}

/** Returns the settings in the form of the API. */
export function toSettings({ url, seconds, tools, rows, isReplacing }: ServerDraft): object {
  return {
    endpoint_url: url,
    timeout_ms: Math.round(Number(seconds) * 1_000),
    tools_allowlist: tools.split(/[\s,]+/).filter((tool) => tool !== ''),
    ...(isReplacing && { headers: toHeaders(rows) }),
  };
}

interface ServerFieldsProps {
  server: McpServer | undefined;
  draft: ServerDraft;
  faults: Readonly<Record<string, string>>;
  onChange: (change: Partial<ServerDraft>) => void;
}

export function ServerFields({ server, draft, faults, onChange }: ServerFieldsProps) {
  return (
    <>
      {!server && (
        <TextField
          label="Name"
          required
          placeholder="notes"
          hint="Agents and runs name the server by it. It cannot be changed."
          value={draft.name}
          fault={faults.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      )}
      <TextField
        label="Endpoint"
        type="url"
        required
        placeholder="https://example.com/mcp"
        hint={server && 'Another host does not get the headers of this one.'}
        value={draft.url}
        fault={faults.endpoint_url}
        onChange={(event) => onChange({ url: event.target.value })}
      />
      {server && (
        <CheckField
          label="Replace the headers"
          hint={`Now: ${server.header_names.join(', ') || 'none'}`}
          checked={draft.isReplacing}
          onChange={(event) => onChange({ isReplacing: event.target.checked })}
        />
      )}
      {draft.isReplacing && (
        <HeaderRows rows={draft.rows} fault={faults.headers} onChange={(rows) => onChange({ rows })} />
      )}
      <LimitFields draft={draft} faults={faults} onChange={onChange} />
    </>
  );
}

function LimitFields({ draft, faults, onChange }: Omit<ServerFieldsProps, 'server'>) {
  return (
    <>
      <TextField
        label="Timeout in seconds"
        type="number"
        required
        min={0.001}
        max={120}
        step="any"
        value={draft.seconds}
        fault={faults.timeout_ms}
        onChange={(event) => onChange({ seconds: event.target.value })}
      />
      <TextField
        label="Tools"
        placeholder="all tools"
        hint="Names at the server, with spaces between them."
        value={draft.tools}
        fault={faults.tools_allowlist}
        onChange={(event) => onChange({ tools: event.target.value })}
      />
    </>
  );
}
