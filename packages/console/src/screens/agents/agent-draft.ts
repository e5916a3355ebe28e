import type { Agent, AgentVersion } from '../../api/types.js';
import { type ReadJson, readJson, writeJson } from '../../format/read-json.js';

/** An agent as it is edited: fields as they are typed. Empty = the default. */
export interface AgentDraft {
  name: string;
  slug: string;
  description: string;
  /** Empty = the model of the tier. */
  model: string;
  system: string;
  tools: string;
  fragments: string;
  inputSchema: string;
  maxSteps: string;
  maxDurationSec: string;
  stepTimeoutSec: string;
  toolFailurePolicy: AgentVersion['tool_failure_policy'];
  toolRetryCount: string;
}

/** Fields that hold JSON, by the name that the service knows them by. */
const JSON_FIELDS = { tools: 'tools', fragments: 'fragments', inputSchema: 'input_schema' } as const;

export function newAgent(): AgentDraft {
  return {
    ...{ name: '', slug: '', description: '', model: '', system: '', tools: '', fragments: '', inputSchema: '' },
    ...{ maxSteps: '', maxDurationSec: '', stepTimeoutSec: '', toolFailurePolicy: 'stop', toolRetryCount: '' },
  };
}

export function toDraft({ agent, version }: Agent): AgentDraft {
  return {
    name: agent.name,
    slug: agent.slug,
    description: agent.description ?? '',
    model: version.model ?? '',
    system: version.system ?? '',
    tools: version.tools.length === 0 ? '' : writeJson(version.tools),
    fragments: writeJson(version.fragments),
    inputSchema: writeJson(version.input_schema),
    maxSteps: String(version.max_steps),
    maxDurationSec: String(version.max_duration_sec),
    stepTimeoutSec: String(version.step_timeout_sec),
    toolFailurePolicy: version.tool_failure_policy,
    toolRetryCount: version.tool_retry_count === undefined ? '' : String(version.tool_retry_count),
  };
}

/** The body of a request that creates the agent or changes it: what the draft leaves empty returns to its default. */
export function toAgentBody(draft: AgentDraft): Record<string, unknown> {
  return {
    name: draft.name,
    slug: draft.slug,
    description: draft.description || null,
    model: draft.model || null,
    system: draft.system || null,
    tools: readJson(draft.tools).value ?? null,
    fragments: readJson(draft.fragments).value ?? null,
    input_schema: readJson(draft.inputSchema).value ?? null,
    max_steps: toNumber(draft.maxSteps),
    max_duration_sec: toNumber(draft.maxDurationSec),
    step_timeout_sec: toNumber(draft.stepTimeoutSec),
    tool_failure_policy: draft.toolFailurePolicy,
    tool_retry_count: draft.toolFailurePolicy === 'retry' ? toNumber(draft.toolRetryCount) : null,
  };
}

/** The body of a request that makes an earlier configuration current again, as a new revision. */
export function toRestoreBody(version: AgentVersion, current: number): Record<string, unknown> {
  return {
    model: version.model ?? null,
    system: version.system ?? null,
    tools: version.tools,
    fragments: version.fragments ?? null,
    input_schema: version.input_schema ?? null,
    max_steps: version.max_steps,
    max_duration_sec: version.max_duration_sec,
    step_timeout_sec: version.step_timeout_sec,
    tool_failure_policy: version.tool_failure_policy,
    tool_retry_count: version.tool_retry_count ?? null,
    expected_revision: current,
  };
}

/** Faults of the fields that hold JSON, by the service's names. */
export function findJsonFaults(draft: AgentDraft): Record<string, string> {
  const read = Object.entries(JSON_FIELDS).map(([name, field]): [string, ReadJson] => [
    field,
    readJson(draft[name as keyof typeof JSON_FIELDS]),
  ]);
  return Object.fromEntries(read.flatMap(([field, { fault }]) => (fault === undefined ? [] : [[field, fault]])));
}

function toNumber(text: string): number | null {
  return text === '' ? null : Number(text);
}
