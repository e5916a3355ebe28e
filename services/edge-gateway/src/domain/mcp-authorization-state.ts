import { isUuid } from '@tollgate/runtime/uuid';

/** Returns the server that a `state` names, for the choice of a page. Whether the state is valid is decided elsewhere. */
export function readStateServer(state: string): { projectId: string; serverId: string } | undefined {
  const [, projectId = '', serverId = ''] = state.split('.');
  return isUuid(projectId) && isUuid(serverId) ? { projectId, serverId } : undefined;
}
