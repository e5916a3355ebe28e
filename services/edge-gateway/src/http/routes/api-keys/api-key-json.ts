import type { ApiKeyRecord } from '@tollgate/api/identity';
import { redactApiKey } from '../../../domain/api-key.js';
import type { ApiKey } from '../../../store/api-keys.js';

export interface KeyExtras {
  /** Only in the response that creates the key. */
  secret?: string;
  spentMicrocents?: bigint | undefined;
}

export function apiKeyJson(key: ApiKey, prefix: string, extras: KeyExtras = {}): ApiKeyRecord {
  return {
    id: key.id,
    project_id: key.projectId,
    kind: key.kind,
    label: key.label,
    redacted_key: redactApiKey(prefix, key.kind, key.last4),
    ...(key.spendLimitCents !== null && { spend_limit_cents: Number(key.spendLimitCents) }),
    ...(extras.spentMicrocents !== undefined && { spent_microcents: Number(extras.spentMicrocents) }),
    ...(key.expiresAt && { expires_at: key.expiresAt.toISOString() }),
    ...(key.lastUsedAt && { last_used_at: key.lastUsedAt.toISOString() }),
    created_at: key.createdAt.toISOString(),
    ...(extras.secret !== undefined && { secret_key: extras.secret }),
  };
}
