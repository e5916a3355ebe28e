// Generated from sign-ins.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertDeviceInput {
  deviceCodeHash: Uint8Array;
  userCode: string;
  projectId: string;
  intervalSeconds: number;
  ttlMs: number;
}

const INSERT_DEVICE = `
  INSERT INTO device_sign_ins (device_code_hash, user_code, project_id, interval_seconds, expires_at)
  VALUES ($1, $2, $3, $4, now() + $5 * interval '1 ms')
  ON CONFLICT (user_code) DO NOTHING`;

export async function insertDevice(db: Queryable, input: InsertDeviceInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'insert_device',
    text: INSERT_DEVICE,
    values: [
      input.deviceCodeHash,
      input.userCode,
      input.projectId,
      input.intervalSeconds,
      input.ttlMs,
    ],
  });
  return rowCount ?? 0;
}

export interface InsertDeviceOfOwnerInput {
  deviceCodeHash: Uint8Array;
  userCode: string;
  clientName: string;
  address: string;
  intervalSeconds: number;
  ttlMs: number;
}

const INSERT_DEVICE_OF_OWNER = `
  INSERT INTO owner_device_sign_ins (device_code_hash, user_code, client_name, address, interval_seconds, expires_at)
  VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 ms')
  ON CONFLICT (user_code) DO NOTHING`;

export async function insertDeviceOfOwner(db: Queryable, input: InsertDeviceOfOwnerInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'insert_device_of_owner',
    text: INSERT_DEVICE_OF_OWNER,
    values: [
      input.deviceCodeHash,
      input.userCode,
      input.clientName,
      input.address,
      input.intervalSeconds,
      input.ttlMs,
    ],
  });
  return rowCount ?? 0;
}

export interface InsertOauthStateInput {
  stateHash: Uint8Array;
  provider: string;
  codeVerifier: string;
  nonce: string;
  returnTo: string | null;
  handoffNonce: string | null;
  deviceCodeHash: Uint8Array | null;
  ttlMs: number;
}

const INSERT_OAUTH_STATE = `
  INSERT INTO oauth_sign_ins (state_hash, provider, code_verifier, nonce, return_to, handoff_nonce, device_code_hash, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7,
    now() + $8 * interval '1 ms')`;

export async function insertOauthState(db: Queryable, input: InsertOauthStateInput): Promise<void> {
  await db.query({
    name: 'insert_oauth_state',
    text: INSERT_OAUTH_STATE,
    values: [
      input.stateHash,
      input.provider,
      input.codeVerifier,
      input.nonce,
      input.returnTo,
      input.handoffNonce,
      input.deviceCodeHash,
      input.ttlMs,
    ],
  });
}

export interface InsertUserInput {
  id: string;
  accountId: string;
  email: string;
  emailKey: string;
  passwordHash: string | null;
  createdAt: Date;
}

const INSERT_USER = `
  INSERT INTO users (id, account_id, email, email_key, password_hash, created_at)
  VALUES ($1, $2, $3, $4, $5, $6)`;

export async function insertUser(db: Queryable, input: InsertUserInput): Promise<void> {
  await db.query({
    name: 'insert_user',
    text: INSERT_USER,
    values: [
      input.id,
      input.accountId,
      input.email,
      input.emailKey,
      input.passwordHash,
      input.createdAt,
    ],
  });
}
