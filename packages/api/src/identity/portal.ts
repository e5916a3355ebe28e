import { z } from 'zod';
import { storableText } from '../values/text.js';

const RETURN_URL_CHARS_MAX = 2_048;

/** A page of the owner's app. The portal shows it as a link and never opens it by itself. */
const returnUrl = storableText(RETURN_URL_CHARS_MAX)
  .regex(/^https?:\/\/[^\s/?#]/i, 'must be an http or https URL')
  .refine((url) => URL.canParse(url), 'must be an http or https URL');

/** `POST /customers/{id}/portal-session` */
export const portalLinkBody = z.object({
  return_url: returnUrl.optional().describe('where the link “Back” of the portal leads'),
});

export const portalLinkResponse = z.object({
  url: z.url().describe('opens the portal once'),
  expires_at: z.iso.datetime().describe('until then the link can be opened'),
});

/** `POST /portal/session`: the code is the fragment of the link. */
export const startPortalSessionBody = z.object({
  project_id: z.guid(),
  code: z.string().min(1).max(128),
});

/** `portal_color` of a project: the portal uses it where it can be read. */
export const portalColor = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #1d4ed8')
  .describe('of buttons and marks in the portal');

const ORIGINS_MAX = 10;

/** Only these may show the portal in a frame. They become a part of its content security policy. */
export const portalOrigins = z
  .array(
    z
      .string()
      .max(255)
      .regex(
        /^(https:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?|http:\/\/(localhost|127\.0\.0\.1))(:\d{1,5})?$/,
        'must be an https origin such as https://app.example.com',
      ),
  )
  .max(ORIGINS_MAX)
  .describe('origins whose pages may embed the portal');

export const portalSessionResponse = z.object({
  /** Of the signed-in device. */
  session_id: z.guid(),
  token: z.string(),
  token_type: z.literal('Bearer'),
  expires_at: z.iso.datetime(),
  return_url: z.string().optional(),
  project: z.object({ id: z.guid(), name: z.string(), portal_color: portalColor.optional() }),
});

/** `GET /customers/me/devices` */
export const customerDeviceSchema = z.object({
  id: z.guid(),
  kind: z.enum(['device', 'portal']).describe('signed in by a code, or through a link to the portal'),
  user_agent: z.string().optional(),
  signed_in_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});

export const customerDeviceListResponse = z.object({ devices: z.array(customerDeviceSchema) });

export type PortalSessionResponse = z.output<typeof portalSessionResponse>;
export type CustomerDeviceRecord = z.output<typeof customerDeviceSchema>;
