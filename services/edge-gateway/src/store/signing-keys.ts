import type { Queryable, Tx } from '@tollgate/postgres';

export interface SigningKeyRow {
  kid: string;
  private_key: Buffer;
  active_at: Date;
}

/** Returns the published keys, newest first. */
export async function readPublishedSigningKeys(db: Queryable): Promise<SigningKeyRow[]> {
  const result = await db.query<SigningKeyRow>(
    `SELECT kid, private_key, active_at FROM signing_keys
      WHERE retires_at IS NULL OR retires_at > now() ORDER BY active_at DESC, kid`,
  );
  return result.rows;
}

/** Serializes writers, so that two replicas that start on an empty table create one key. */
export async function lockSigningKeys(tx: Tx): Promise<void> {
  await tx.query('LOCK TABLE signing_keys IN EXCLUSIVE MODE');
}

export async function insertSigningKey(
  tx: Tx,
  key: { kid: string; privateKey: Uint8Array; activeAt: Date },
): Promise<void> {
  await tx.query('INSERT INTO signing_keys (kid, private_key, active_at) VALUES ($1, $2, $3)', [
    key.kid,
    key.privateKey,
    key.activeAt,
  ]);
}

/** Retires every key but the given one at `retiresAt`, when its last token has expired. */
export async function retireOtherSigningKeys(tx: Tx, kid: string, retiresAt: Date): Promise<void> {
  await tx.query('UPDATE signing_keys SET retires_at = $2 WHERE kid <> $1 AND retires_at IS NULL', [kid, retiresAt]);
}

export async function replaceSealedSigningKey(tx: Tx, kid: string, privateKey: Uint8Array): Promise<void> {
  await tx.query('UPDATE signing_keys SET private_key = $2 WHERE kid = $1', [kid, privateKey]);
}
