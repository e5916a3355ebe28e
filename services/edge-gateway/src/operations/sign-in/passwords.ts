import { hash, verify } from '@node-rs/argon2';

/** Argon2id as OWASP recommends: 19 MiB, two passes, one lane. */
const settings = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), settings);
}

let decoy: Promise<string> | undefined;

/** Takes the same time whether or not there is such a user, so that the answer's delay tells nobody. */
export async function isPasswordOf(passwordHash: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('a password that nobody has');
  const matches = await verify(passwordHash ?? (await decoy), password.normalize('NFKC'));
  return passwordHash !== undefined && matches;
}
