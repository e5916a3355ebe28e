import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import type { AgentSnapshot, AgentVersion } from '@tollgate/contracts/agents/v1/agents_pb.js';

export function snapshotJson(snapshot: AgentSnapshot | undefined) {
  const agent = snapshot!.agent!;
  return {
    agent: {
      id: agent.id,
      project_id: agent.projectId,
      slug: agent.slug,
      name: agent.name,
      description: agent.description || undefined,
      current_revision: agent.currentRevision,
      created_at: time(agent.createdAt),
      updated_at: time(agent.updatedAt),
    },
    version: versionJson(snapshot!.version!),
  };
}

/** Returns what people set of an agent, as the audit log compares it. */
export function agentFields(snapshot: AgentSnapshot | undefined): Record<string, unknown> {
  const { agent, version } = snapshotJson(snapshot);
  const { revision: _, created_at: _at, ...settings } = version;
  const { name, description, current_revision } = agent;
  return { name, description, current_revision, ...settings };
}

export function versionJson(version: AgentVersion) {
  return {
    revision: version.revision,
    system: version.system || undefined,
    model: version.model || undefined,
    tools: JSON.parse(version.toolsJson),
    fragments: version.fragmentsJson ? JSON.parse(version.fragmentsJson) : undefined,
    input_schema: version.inputSchemaJson ? JSON.parse(version.inputSchemaJson) : undefined,
    max_steps: version.maxSteps,
    max_duration_sec: version.maxDurationSec,
    step_timeout_sec: version.stepTimeoutSec,
    tool_failure_policy: version.toolFailurePolicy,
    tool_retry_count: version.toolRetryCount,
    created_at: time(version.createdAt),
  };
}

function time(value: Timestamp | undefined): string | undefined {
  return value && timestampDate(value).toISOString();
}
