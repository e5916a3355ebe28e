import { AppError } from '@tollgate/errors';
import type { AgentConfig, AgentProfile } from '../../domain/agent.js';
import { agentIssues } from '../../domain/config-issues.js';

/** @throws AppError VALIDATION_ERROR listing every issue */
export function checkAgent(profile: AgentProfile, config: AgentConfig): void {
  const issues = agentIssues(profile, config);
  const first = issues[0];
  if (!first) return;
  throw new AppError('VALIDATION_ERROR', `${first.field}: ${first.message}`, { fields: issues });
}
