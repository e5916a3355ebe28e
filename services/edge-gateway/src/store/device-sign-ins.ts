import type { Queryable } from '@tollgate/postgres';
import { type InsertDeviceInput, insertDevice } from './gen/sign-ins.js';

export interface DeviceSignInRow {
  device_code_hash: Buffer;
  project_id: string;
  status: 'pending' | 'approved' | 'denied';
  customer_id: string | null;
  interval_seconds: number;
  /** True when the device polled before its interval had passed. */
  is_early: boolean;
  is_expired: boolean;
}

/** Returns false when the user code is taken. */
export async function insertDeviceSignIn(db: Queryable, row: InsertDeviceInput): Promise<boolean> {
  return (await insertDevice(db, row)) === 1;
}

const COLUMNS = `device_code_hash, project_id, status, customer_id, interval_seconds, expires_at <= now() AS is_expired,
  coalesce(polled_at + (interval_seconds - 0.5) * interval '1 s' > now(), false) AS is_early`;

/** Locks the sign-in, so that only one of two concurrent polls gets the token. */
export async function lockDeviceSignIn(db: Queryable, deviceCodeHash: Buffer): Promise<DeviceSignInRow | undefined> {
  const { rows } = await db.query<DeviceSignInRow>(
    `SELECT ${COLUMNS} FROM device_sign_ins WHERE device_code_hash = $1 FOR UPDATE`,
    [deviceCodeHash],
  );
  return rows[0];
}

export async function notePoll(db: Queryable, deviceCodeHash: Buffer, intervalSeconds: number): Promise<void> {
  await db.query('UPDATE device_sign_ins SET polled_at = now(), interval_seconds = $2 WHERE device_code_hash = $1', [
    deviceCodeHash,
    intervalSeconds,
  ]);
}

export async function deleteDeviceSignIn(db: Queryable, deviceCodeHash: Buffer): Promise<void> {
  await db.query('DELETE FROM device_sign_ins WHERE device_code_hash = $1', [deviceCodeHash]);
}

export async function findPendingDevice(
  db: Queryable,
  userCode: string,
): Promise<{ device_code_hash: Buffer; project_id: string } | undefined> {
  const { rows } = await db.query<{ device_code_hash: Buffer; project_id: string }>(
    `SELECT device_code_hash, project_id FROM device_sign_ins
      WHERE user_code = $1 AND status = 'pending' AND expires_at > now()`,
    [userCode],
  );
  return rows[0];
}

/** Returns the project of the pending device sign-in that a provider's callback approves. */
export async function findDeviceProject(db: Queryable, deviceCodeHash: Buffer): Promise<string | undefined> {
  const { rows } = await db.query<{ project_id: string }>(
    "SELECT project_id FROM device_sign_ins WHERE device_code_hash = $1 AND status = 'pending' AND expires_at > now()",
    [deviceCodeHash],
  );
  return rows[0]?.project_id;
}

/** Returns false when the sign-in is no longer pending. */
export async function decideDevice(
  db: Queryable,
  deviceCodeHash: Buffer,
  decision: { status: 'approved'; customerId: string } | { status: 'denied' },
): Promise<boolean> {
  const result = await db.query(
    `UPDATE device_sign_ins SET status = $2, customer_id = $3
      WHERE device_code_hash = $1 AND status = 'pending' AND expires_at > now()`,
    [deviceCodeHash, decision.status, decision.status === 'approved' ? decision.customerId : null],
  );
  return result.rowCount === 1;
}
