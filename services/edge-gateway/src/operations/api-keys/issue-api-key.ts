import { randomBytes, randomUUID } from 'node:crypto';
import type { Queryable } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { formatApiKey, hashColumns, type KeyKind } from '../../domain/api-key.js';
import type { ApiKey } from '../../store/api-keys.js';
import { insertApiKey } from '../../store/gen/api-keys.js';

export interface KeyInput {
  projectId: string;
  kind: KeyKind;
  label: string;
  spendLimitCents?: bigint | undefined;
  expiresAt?: Date | undefined;
  /** The user who gets the key. Without one the key reads no figures of the account. */
  issuedBy?: string | undefined;
}

export interface IssuedKey {
  key: ApiKey;
  /** Shown once; only its hash is stored. */
  secret: string;
}

/** Stores a new key. The caller has checked that the owner has the project. */
export async function issueApiKey(
  ctx: Pick<Context, 'config' | 'clock'>,
  db: Queryable,
  input: KeyInput,
): Promise<IssuedKey> {
  const secret = formatApiKey(ctx.config.keyPrefix, input.kind, randomBytes(32));
  const { previousKeyHash, ...hash } = hashColumns(ctx.config.peppers, secret);
  const key = await insertApiKey(db, {
    id: randomUUID(),
    ...input,
    spendLimitCents: input.spendLimitCents ?? null,
    expiresAt: input.expiresAt ?? null,
    issuedBy: input.issuedBy ?? null,
    ...hash,
    previousKeyHash: previousKeyHash ?? null,
    last4: secret.slice(-4),
    createdAt: ctx.clock.now(),
  });
  return { key: key!, secret };
}
