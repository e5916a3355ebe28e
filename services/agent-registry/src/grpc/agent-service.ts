import { AgentService } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { AppError } from '@tollgate/errors';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { createAgent, deleteAgent, updateAgent } from '../operations/agents/agent-changes.js';
import {
  getAgent,
  listAgents,
  listAgentVersions,
  listRunnableAgents,
  resolvePin,
  resolveReference,
} from '../operations/agents/agents.js';
import { allValues, maskedValues } from './agent-values.js';
import { runnableToProto, snapshotToProto, versionToProto } from './mapping.js';
import { requireManagedProject, requireScope } from './require-scope.js';

export function agentService(ctx: Context): Registration {
  return register(AgentService, {
    async createAgent({ slug, values }, call) {
      const command = { projectId: requireManagedProject(call), slug, values: allValues(values) };
      const snapshot = await createAgent(ctx, command, call);
      return { snapshot: snapshotToProto(snapshot) };
    },
    async updateAgent({ slug, values, updateMask, expectedRevision }, call) {
      const projectId = requireManagedProject(call);
      const command = { projectId, slug, values: maskedValues(values, updateMask), expectedRevision };
      return { snapshot: snapshotToProto(await updateAgent(ctx, command, call)) };
    },
    async getAgent({ slug, revision }, call) {
      return { snapshot: snapshotToProto(await getAgent(ctx, requireManagedProject(call), slug, revision)) };
    },
    async listAgents(page, call) {
      const { agents, hasMore } = await listAgents(ctx, requireManagedProject(call), page);
      return { agents: agents.map(snapshotToProto), hasMore };
    },
    async listAgentVersions({ slug, ...page }, call) {
      const { versions, hasMore } = await listAgentVersions(ctx, requireManagedProject(call), slug, page);
      return { versions: versions.map(versionToProto), hasMore };
    },
    async deleteAgent({ slug }, call) {
      await deleteAgent(ctx, requireManagedProject(call), slug, call);
      return {};
    },
    async listRunnableAgents(page, call) {
      const { agents, hasMore } = await listRunnableAgents(ctx, requireScope(call).projectId, page);
      return { agents: agents.map(runnableToProto), hasMore };
    },
    async resolveAgent({ by }, call) {
      const { projectId } = requireScope(call);
      if (by.case === 'pin') return { snapshot: snapshotToProto(await resolvePin(ctx, projectId, by.value)) };
      if (by.case === 'reference')
        return { snapshot: snapshotToProto(await resolveReference(ctx, projectId, by.value)) };
      throw new AppError('INVALID_INPUT', 'a reference or a pin is required');
    },
  });
}
