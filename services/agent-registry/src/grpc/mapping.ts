import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  AgentSnapshotSchema,
  AgentVersionSchema,
  RunnableAgentSchema,
} from '@tollgate/contracts/agents/v1/agents_pb.js';
import type { StateHandleSchema } from '@tollgate/contracts/agents/v1/state_pb.js';
import type { AgentConfig, AgentSnapshot, AgentVersion } from '../domain/agent.js';
import { effectiveRetryCount } from '../domain/agent-values.js';
import type { StateHandle } from '../domain/state-handle.js';

export function snapshotToProto({ agent, version }: AgentSnapshot): MessageInitShape<typeof AgentSnapshotSchema> {
  const { createdAt, updatedAt, ...rest } = agent;
  return {
    agent: { ...rest, createdAt: timestampFromDate(createdAt), updatedAt: timestampFromDate(updatedAt) },
    version: versionToProto(version),
  };
}

export function versionToProto(version: AgentVersion): MessageInitShape<typeof AgentVersionSchema> {
  const { revision, config, createdAt } = version;
  const toolRetryCount = effectiveRetryCount(config);
  return {
    revision,
    system: config.system,
    model: config.model,
    toolsJson: JSON.stringify(config.tools),
    fragmentsJson: Object.keys(config.fragments).length > 0 ? JSON.stringify(config.fragments) : '',
    inputSchemaJson: toInputSchemaJson(config),
    maxSteps: config.maxSteps,
    maxDurationSec: config.maxDurationSec,
    stepTimeoutSec: config.stepTimeoutSec,
    toolFailurePolicy: config.toolFailurePolicy,
    ...(toolRetryCount !== undefined && { toolRetryCount }),
    createdAt: timestampFromDate(createdAt),
  };
}

/** Shows the part of an agent that its project's customers may see. */
export function runnableToProto({ agent, version }: AgentSnapshot): MessageInitShape<typeof RunnableAgentSchema> {
  const { slug, name, description } = agent;
  return { slug, name, description, inputSchemaJson: toInputSchemaJson(version.config) };
}

function toInputSchemaJson({ inputSchema }: AgentConfig): string {
  return inputSchema ? JSON.stringify(inputSchema) : '';
}

export function stateHandleToProto(handle: StateHandle): MessageInitShape<typeof StateHandleSchema> {
  const { id, projectId, customerId, createdAt, expiresAt } = handle;
  return {
    id,
    projectId,
    customerId: customerId ?? '',
    createdAt: timestampFromDate(createdAt),
    ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }),
  };
}
