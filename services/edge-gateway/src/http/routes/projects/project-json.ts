import { listPermissions, type ProjectRecord, type Role } from '@tollgate/api/identity';
import type { Project } from '../../../store/projects.js';

export function projectJson(project: Project): ProjectRecord {
  return {
    id: project.id,
    owner_id: project.ownerId,
    name: project.name,
    ...(project.description !== null && { description: project.description }),
    billing_mode: project.billingMode,
    markup_percentage: project.markupPercentage,
    publishable_claims: project.publishableClaims,
    response_cache: project.responseCache,
    response_storage: project.responseStorage,
    unsupported_parameters: project.unsupportedParameters,
    mcp_for_customers: project.mcpForCustomers,
    ...(project.portalColor !== null && { portal_color: project.portalColor }),
    portal_origins: project.portalOrigins,
    created_at: project.createdAt.toISOString(),
    updated_at: project.updatedAt.toISOString(),
  };
}

/** The role of the user who asks, and what it permits. */
export function roleJson(role: Role): Pick<ProjectRecord, 'role' | 'permissions'> {
  return { role, permissions: listPermissions(role) };
}
