import { z } from 'zod';
import { CENTS_MAX } from '../values/amounts.js';
import { pageQuery } from '../values/paging.js';
import { storableText } from '../values/text.js';
import { moment } from '../values/times.js';

const kind = z.enum(['secret', 'publishable']);

/** `POST /api-keys` */
export const createApiKeyBody = z
  .object({
    label: storableText(255).trim().min(1),
    kind: kind.default('secret'),
    /** Default: the account's first project. */
    project_id: z.guid().optional(),
    expires_at: moment.optional(),
    /** Lifetime limit; can never be raised. */
    spend_limit_cents: z.int().min(1).max(CENTS_MAX).optional(),
  })
  .refine((body) => body.kind === 'secret' || body.spend_limit_cents === undefined, {
    path: ['spend_limit_cents'],
    message: 'only a secret key spends',
  });

/** `PATCH /api-keys/{id}`; what is absent stays as it is. */
export const updateApiKeyBody = z
  .object({
    label: storableText(255).trim().min(1).optional(),
    /** Null: never. */
    expires_at: moment.nullable().optional(),
  })
  .refine((body) => body.label !== undefined || body.expires_at !== undefined, { message: 'name label or expires_at' });

/** `POST /api-keys/{id}/rotate` */
export const rotateApiKeyBody = z.object({
  /** How long the old key keeps working, at most a week. */
  overlap_seconds: z.int().min(0).max(604_800).default(86_400),
  /** Of the new key. */
  expires_at: moment.optional(),
});

export const apiKeySchema = z.object({
  id: z.guid(),
  project_id: z.guid(),
  kind,
  label: z.string(),
  redacted_key: z.string(),
  spend_limit_cents: z.int().optional(),
  /** Settled spend of the key's lifetime. */
  spent_microcents: z.int().optional(),
  expires_at: z.iso.datetime().optional(),
  last_used_at: z.iso.datetime().optional(),
  created_at: z.iso.datetime(),
  /** Only in the answer that issues the key. */
  secret_key: z.string().optional(),
});

export const listApiKeysQuery = pageQuery(50, 200).extend({ project_id: z.guid().optional() });
export const apiKeyResponse = z.object({ api_key: apiKeySchema });
export const listApiKeysResponse = z.object({ api_keys: z.array(apiKeySchema), next_cursor: z.string().optional() });

export type ApiKeyRecord = z.output<typeof apiKeySchema>;
export type CreateApiKeyBody = z.output<typeof createApiKeyBody>;
