import { z } from 'zod';
import { storableText } from '../values/text.js';
import { apiKeySchema } from './api-keys.js';
import { projectSchema } from './projects.js';

const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_LENGTH_MAX = 256;

export const emailAddress = storableText(320).trim().pipe(z.email());

/** `POST /auth/register` */
export const registerBody = z.object({
  email: emailAddress,
  password: z.string().min(PASSWORD_LENGTH_MIN).max(PASSWORD_LENGTH_MAX),
  billing_provider: z.enum(['stripe', 'crypto', 'app_store', 'external']).optional(),
});

/** `POST /auth/password-reset` */
export const requestPasswordResetBody = registerBody.pick({ email: true });

/** `POST /auth/password-reset/complete`: the code is the fragment of the link. */
export const completePasswordResetBody = z.object({
  code: storableText(128).min(1),
  password: registerBody.shape.password,
});

/** `POST /auth/login`: bounds only, so that a wrong password of any form is 401. */
export const loginBody = z.object({ email: storableText(320).min(1), password: z.string().min(1).max(1_024) });

/** `POST /auth/refresh`, `POST /auth/logout` */
export const refreshBody = z.object({ refresh_token: z.string().min(1).max(1_024) });

/** `POST /auth/customer-token` */
export const customerTokenBody = z
  .object({
    customer_id: z.guid().optional(),
    customer_external_id: storableText(255).min(1).optional(),
    ttl_seconds: z.int().min(1).optional(),
    tier_code: z
      .string()
      .max(64)
      .regex(/^[a-z][a-z0-9_-]*$/, 'must begin with a lower-case letter, then letters, digits, "-" and "_"')
      .optional(),
    /** The key determines the project. A body that names one is rejected, because it may mean another project. */
    project_id: z.never('must not be sent: the key belongs to one project').optional(),
  })
  .refine((body) => (body.customer_id === undefined) !== (body.customer_external_id === undefined), {
    path: ['customer_id'],
    message: 'send exactly one of customer_id and customer_external_id',
  });

export const authTokensSchema = z.object({
  access_token: z.string(),
  expires_at: z.iso.datetime(),
  refresh_token: z.string(),
});

export const userSchema = z.object({
  id: z.guid(),
  email: z.string(),
  project_id: z.guid(),
  created_at: z.iso.datetime(),
});

export const signupProjectSchema = z.object({ issued_key: apiKeySchema, project: projectSchema });

/** Tokens are present both at the top level and under `tokens`. */
export const authResponseSchema = authTokensSchema.extend({
  tokens: authTokensSchema,
  user: userSchema,
  signup_project: signupProjectSchema.optional(),
});

export const meResponse = z.object({ user: userSchema });

export const customerTokenResponse = z.object({
  token: z.string(),
  token_type: z.literal('Bearer'),
  expires_at: z.iso.datetime(),
  expires_in: z.int(),
  project_id: z.guid(),
  customer_id: z.guid(),
  customer_external_id: z.string(),
  tier_code: z.string().optional(),
  billing_profile_id: z.guid().optional(),
});

export type AuthResponse = z.output<typeof authResponseSchema>;
export type AuthTokens = z.output<typeof authTokensSchema>;
export type UserRecord = z.output<typeof userSchema>;
export type CustomerTokenBody = z.output<typeof customerTokenBody>;
export type CustomerTokenResponse = z.output<typeof customerTokenResponse>;
