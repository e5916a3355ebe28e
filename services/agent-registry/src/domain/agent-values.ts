import { isDeepStrictEqual } from 'node:util';
import { agentDefaults } from '@tollgate/api/runs';
import type { AgentConfig, AgentProfile } from './agent.js';

/** Fields that a client sets; undefined resets a field to its default, an absent field stays unchanged. */
export type AgentValues = {
  [Field in keyof (AgentProfile & AgentConfig)]?: (AgentProfile & AgentConfig)[Field] | undefined;
};

const defaults: AgentProfile & AgentConfig = {
  name: '',
  description: '',
  system: '',
  model: '',
  tools: [],
  fragments: {},
  inputSchema: undefined,
  maxSteps: agentDefaults.max_steps,
  maxDurationSec: agentDefaults.max_duration_sec,
  stepTimeoutSec: agentDefaults.step_timeout_sec,
  toolFailurePolicy: agentDefaults.tool_failure_policy,
  toolRetryCount: undefined,
};

export function newAgent(values: AgentValues): { profile: AgentProfile; config: AgentConfig } {
  return split(merge(defaults, values));
}

export interface Revision {
  profile: AgentProfile;
  config: AgentConfig;
  isProfileChanged: boolean;
  /** True when the change makes a new revision. */
  isConfigChanged: boolean;
}

/** Applies a change. Compares configurations as values: the order of tools matters, the order of keys does not. */
export function reviseAgent(profile: AgentProfile, config: AgentConfig, values: AgentValues): Revision {
  const { name, description } = profile;
  const next = split(merge({ name, description, ...config }, values));
  return {
    ...next,
    isProfileChanged: next.profile.name !== name || next.profile.description !== description,
    isConfigChanged: !isDeepStrictEqual(next.config, config),
  };
}

/** Returns how often a failed tool call is retried; undefined when the policy does not retry and no count is set. */
export function effectiveRetryCount(config: AgentConfig): number | undefined {
  return config.toolRetryCount ?? (config.toolFailurePolicy === 'retry' ? agentDefaults.tool_retry_count : undefined);
}

function merge(base: AgentProfile & AgentConfig, values: AgentValues): AgentProfile & AgentConfig {
  const given = Object.entries(values).map(([field, value]) => [
    field,
    value ?? defaults[field as keyof typeof defaults],
  ]);
  return { ...base, ...Object.fromEntries(given) };
}

function split({ name, description, ...config }: AgentProfile & AgentConfig) {
  return { profile: { name, description }, config };
}
