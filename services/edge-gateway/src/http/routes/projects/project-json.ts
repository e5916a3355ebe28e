import type { ProjectRecord } from '@tollgate/api/identity';
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
    unsupported_parameters: project.unsupportedParameters,
    ...(project.portalColor !== null && { portal_color: project.portalColor }),
    portal_origins: project.portalOrigins,
    created_at: project.createdAt.toISOString(),
    updated_at: project.updatedAt.toISOString(),
  };
}
