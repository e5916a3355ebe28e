export type Address = { kind: 'run'; runId: string } | { kind: 'agent'; slug: string; projectId: string };

export type ParsedAddress = { ok: true; address: Address } | { ok: false; reason: string };

const uuid = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
const runForm = new RegExp(`^run:(${uuid})$`);
const agentForm = new RegExp(`^agent:([A-Za-z0-9][A-Za-z0-9._-]{0,127})@(${uuid})$`);

/** Parses `run:<run_id>` or `agent:<slug>@<project_id>`. Converts ids to lower case, so that equal addresses are equal text. */
export function parseAddress(text: string): ParsedAddress {
  if (text.startsWith('topic:')) return { ok: false, reason: 'topic addresses are reserved' };
  const run = runForm.exec(text);
  if (run?.[1]) return { ok: true, address: { kind: 'run', runId: run[1].toLowerCase() } };
  const agent = agentForm.exec(text);
  if (agent?.[1] && agent[2]) {
    return { ok: true, address: { kind: 'agent', slug: agent[1], projectId: agent[2].toLowerCase() } };
  }
  return { ok: false, reason: 'must be run:<run_id> or agent:<slug>@<project_id>' };
}

export function formatAddress(address: Address): string {
  return address.kind === 'run' ? `run:${address.runId}` : `agent:${address.slug}@${address.projectId}`;
}

const API_SLUG = 'api';

/** The project's API: the sender of a message that names no sender. */
export function apiAddress(projectId: string): Address {
  return { kind: 'agent', slug: API_SLUG, projectId };
}

export function isApi(address: Address): boolean {
  return address.kind === 'agent' && address.slug === API_SLUG;
}
