import { z } from 'zod';
import { pageQuery } from '../values/paging.js';
import { storableText } from '../values/text.js';
import { portalColor, portalOrigins } from './portal.js';
import { permissionSchema, roleSchema } from './role-schema.js';

const name = storableText(255).trim().min(1);
const description = storableText(2_000);
const billingMode = z.enum(['managed', 'byob']);
/** What happens to parameters of a model request that its provider lacks. */
const unsupportedParameters = z.enum(['refuse', 'drop']);
/** Percent added to catalog prices when a model is added to a tier without its own price. */
const markupPercentage = z.number().min(0).max(100);

export const projectSchema = z.object({
  id: z.guid(),
  owner_id: z.guid(),
  name: z.string(),
  description: z.string().optional(),
  /** `byob`: the project bills its customers elsewhere. */
  billing_mode: billingMode,
  markup_percentage: markupPercentage,
  /** Whether publishable keys may claim customers. */
  publishable_claims: z.boolean(),
  /** Whether exact repeats of requests at temperature 0 are answered from the response cache. */
  response_cache: z.boolean(),
  /** Whether answers of `/v1/responses` are stored unless a request has `store: false`; `null`: as the installation decides. */
  response_storage: z.boolean().nullable(),
  /** `drop`: parameters that a provider lacks are left out and named in `X-Service-Dropped-Parameters`. */
  unsupported_parameters: unsupportedParameters,
  /** Whether customers' tokens list and call the project's agents as tools at `/v1/mcp`. Keys always may. */
  mcp_for_customers: z.boolean(),
  portal_color: portalColor.optional(),
  portal_origins: portalOrigins,
  role: roleSchema.optional().describe('yours in the project; in lists, and in the answer for one project'),
  permissions: z.array(permissionSchema).optional().describe('what your role permits; wherever `role` is'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** `POST /projects` */
export const createProjectBody = z.object({
  name,
  description: description.optional(),
  billing_mode: billingMode.default('managed'),
  markup_percentage: markupPercentage.default(0),
  publishable_claims: z.boolean().default(true),
  response_cache: z.boolean().default(false),
  response_storage: z.boolean().nullable().default(null),
  unsupported_parameters: unsupportedParameters.default('refuse'),
  mcp_for_customers: z.boolean().default(true),
  portal_color: portalColor.optional(),
  portal_origins: portalOrigins.default([]),
});

/** `PUT /projects/{id}`: omitted fields keep their values. */
export const updateProjectBody = z.object({
  name: name.optional(),
  /** `null` removes it. */
  description: description.nullable().optional(),
  billing_mode: billingMode.optional(),
  markup_percentage: markupPercentage.optional(),
  publishable_claims: z.boolean().optional(),
  response_cache: z.boolean().optional(),
  /** `null` returns to the installation's choice. */
  response_storage: z.boolean().nullable().optional(),
  unsupported_parameters: unsupportedParameters.optional(),
  mcp_for_customers: z.boolean().optional(),
  /** `null` removes it. */
  portal_color: portalColor.nullable().optional(),
  portal_origins: portalOrigins.optional(),
});

export const listProjectsQuery = pageQuery(50, 200);
export const projectResponse = z.object({ project: projectSchema });
export const listProjectsResponse = z.object({ projects: z.array(projectSchema), next_cursor: z.string().optional() });

export type ProjectRecord = z.output<typeof projectSchema>;
export type CreateProjectBody = z.output<typeof createProjectBody>;
export type UpdateProjectBody = z.output<typeof updateProjectBody>;
