import { z } from 'zod';
import { cursorQuery, pageQuery } from '../values/paging.js';
import { storableText } from '../values/text.js';
import { customerTokenResponse } from './auth.js';

/** `POST /auth/oauth/start` */
export const oauthStartQuery = z.object({
  provider: z.enum(['github', 'google']),
  /**
   * A loopback address or an allowed origin; the tokens come in its fragment. Without it, the callback returns them. The console
   * itself passes `GET /auth/oauth/authorize` one of its paths: the session then goes into a cookie.
   */
  return_to: z.string().max(2_048).optional(),
  /** Returned with the tokens, so that an app can match the answer to its request. */
  handoff_nonce: z.string().min(1).max(256).optional(),
});

export const oauthStartResponse = z.object({ redirect_url: z.string() });

/** Query with which a provider redirects the browser back. */
export const oauthCallbackQuery = z.object({
  state: z.string().max(1_024).default(''),
  code: z.string().max(4_096).optional(),
  error: z.string().max(1_024).optional(),
});

export const deviceStartResponse = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.int(),
  interval: z.int(),
});

/** `POST /auth/device/token` */
export const deviceTokenBody = z.object({ device_code: z.string().min(1).max(256) });
export const deviceTokenResponse = customerTokenResponse;

/** Why there is no token (yet), by the error codes of RFC 8628, section 3.5. */
export const deviceTokenError = z.object({
  error: z.enum(['authorization_pending', 'slow_down', 'expired_token', 'invalid_grant', 'access_denied']),
  error_description: z.string(),
  interval: z.int().optional(),
});

const userCode = storableText(32).min(1);

/** `POST /auth/device/approve`: a secret key names the customer; a customer's token approves for its own customer. */
export const deviceApproveBody = z
  .object({
    user_code: userCode,
    decision: z.enum(['approve', 'deny']).default('approve'),
    customer_id: z.guid().optional(),
    customer_external_id: storableText(255).min(1).optional(),
  })
  .refine((body) => body.customer_id === undefined || body.customer_external_id === undefined, {
    path: ['customer_id'],
    message: 'send one of customer_id and customer_external_id',
  });

export const devicePageQuery = z.object({ user_code: userCode.optional() });

/** `POST /auth/owner-device/start`; the page of the approval shows the name, so it is plain text on one line. */
export const ownerDeviceStartBody = z.object({
  client_name: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[ -~]+$/, 'must be printable ASCII characters')
    .describe('the program and the machine that ask, as the owner will see them'),
});

const ownerUserCodeBody = z.object({ user_code: userCode });

/** `POST /auth/owner-device/preview` */
export const ownerDevicePreviewBody = ownerUserCodeBody;

export const ownerDeviceSchema = z.object({
  client_name: z.string(),
  address: z.string().describe('the network address that asked'),
  requested_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});

/** `POST /auth/owner-device/approve` */
export const ownerDeviceApproveBody = ownerUserCodeBody.extend({ decision: z.enum(['approve', 'deny']) });

/** `GET /auth/sign-ins` */
export const signInSchema = z.object({
  id: z.guid(),
  client_name: z
    .string()
    .optional()
    .describe('the program that signed in by a code; absent for browsers and passwords'),
  address: z.string().optional().describe('the network address of that program'),
  signed_in_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});

export const signInListQuery = cursorQuery(50, 100);
export const signInListResponse = z.object({ sign_ins: z.array(signInSchema), next_cursor: z.string().optional() });

/** `GET /account/audit-log` */
export const auditEventSchema = z.object({
  id: z.guid(),
  action: z.string(),
  actor: z.object({ kind: z.enum(['user', 'key', 'customer', 'anonymous', 'system']), id: z.string() }),
  project_id: z.guid().optional(),
  subject_id: z.string().optional(),
  changes: z
    .array(z.object({ field: z.string(), before: z.string().optional(), after: z.string().optional() }))
    .optional()
    .describe('fields before and after the change, as text; of tiers and agents'),
  address: z.string(),
  request_id: z.string(),
  at: z.iso.datetime(),
});

export const auditLogQuery = pageQuery(50, 200).extend({ action: z.string().min(1).max(64).optional() });

export const auditLogResponse = z.object({ events: z.array(auditEventSchema), next_cursor: z.string().optional() });

export type AuditEventRecord = z.output<typeof auditEventSchema>;
export type DeviceStartResponse = z.output<typeof deviceStartResponse>;
export type SignInRecord = z.output<typeof signInSchema>;
export type OwnerDeviceRecord = z.output<typeof ownerDeviceSchema>;
