import type { SqlPolicy } from '@tollgate/api/state';

/** A policy that a project stores under an id. */
export interface SqlProfile {
  id: string;
  projectId: string;
  name: string;
  policy: SqlPolicy;
  createdAt: Date;
  updatedAt: Date;
}
