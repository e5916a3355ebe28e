import type { Queryable } from '@tollgate/postgres';
import { type InsertDeviceOfOwnerInput, insertDeviceOfOwner } from './gen/sign-ins.js';

/** A program that asks to sign an owner in. */
export interface OwnerDevice {
  clientName: string;
  /** The network address that it asked from. */
  address: string;
  requestedAt: Date;
  expiresAt: Date;
}

export interface OwnerDeviceRow {
  client_name: string;
  address: string;
  status: 'pending' | 'approved' | 'denied';
  user_id: string | null;
  /** The session in which the user decided. */
  session_id: string | null;
  interval_seconds: number;
  /** True when the device polled before its interval had passed. */
  is_early: boolean;
  is_expired: boolean;
}

/** Returns false when the user code is taken. */
export async function insertOwnerDevice(db: Queryable, row: InsertDeviceOfOwnerInput): Promise<boolean> {
  return (await insertDeviceOfOwner(db, row)) === 1;
}

/** Locks the sign-in, so that only one of two concurrent polls gets the tokens. */
export async function lockOwnerDevice(db: Queryable, deviceCodeHash: Buffer): Promise<OwnerDeviceRow | undefined> {
  const { rows } = await db.query<OwnerDeviceRow>(
    `SELECT client_name, address, status, user_id, session_id, interval_seconds, expires_at <= now() AS is_expired,
            coalesce(polled_at + (interval_seconds - 0.5) * interval '1 s' > now(), false) AS is_early
       FROM owner_device_sign_ins WHERE device_code_hash = $1 FOR UPDATE`,
    [deviceCodeHash],
  );
  return rows[0];
}

export async function noteOwnerDevicePoll(
  db: Queryable,
  deviceCodeHash: Buffer,
  intervalSeconds: number,
): Promise<void> {
  await db.query(
    'UPDATE owner_device_sign_ins SET polled_at = now(), interval_seconds = $2 WHERE device_code_hash = $1',
    [deviceCodeHash, intervalSeconds],
  );
}

export async function deleteOwnerDevice(db: Queryable, deviceCodeHash: Buffer): Promise<void> {
  await db.query('DELETE FROM owner_device_sign_ins WHERE device_code_hash = $1', [deviceCodeHash]);
}

/** Deletes the sign-ins that the user has approved and whose tokens were not taken; waits while tokens are being taken. */
export async function deleteOwnerDevicesOfUser(db: Queryable, userId: string): Promise<void> {
  await db.query('DELETE FROM owner_device_sign_ins WHERE user_id = $1', [userId]);
}

export async function findPendingOwnerDevice(db: Queryable, userCode: string): Promise<OwnerDevice | undefined> {
  const { rows } = await db.query<OwnerDevice>(
    `SELECT client_name AS "clientName", address, created_at AS "requestedAt", expires_at AS "expiresAt"
       FROM owner_device_sign_ins WHERE user_code = $1 AND status = 'pending' AND expires_at > now()`,
    [userCode],
  );
  return rows[0];
}

/** Returns false when no sign-in with this code is pending. */
export async function decideOwnerDevice(
  db: Queryable,
  userCode: string,
  decision: { status: 'approved' | 'denied'; userId: string; sessionId: string },
): Promise<boolean> {
  const result = await db.query(
    `UPDATE owner_device_sign_ins SET status = $2, user_id = $3, session_id = $4
      WHERE user_code = $1 AND status = 'pending' AND expires_at > now()`,
    [userCode, decision.status, decision.userId, decision.sessionId],
  );
  return result.rowCount === 1;
}
