import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Secrets of this local stack, generated at the first start and kept beside its data. */
export interface LocalSecrets {
  KEY_PEPPER: string;
  SECRETS_ENCRYPTION_KEY: string;
  DEV_OWNER_PASSWORD: string;
  /** Signs the webhook events of the simulated card processor. */
  PAYMENT_NOTICE_SECRET: string;
}

export function localSecrets(file: string): LocalSecrets {
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<LocalSecrets>) : {};
  const secrets: LocalSecrets = {
    KEY_PEPPER: randomBytes(32).toString('hex'),
    SECRETS_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    DEV_OWNER_PASSWORD: `local-${randomBytes(9).toString('base64url')}`,
    PAYMENT_NOTICE_SECRET: `whsec_${randomBytes(24).toString('base64url')}`,
    ...known,
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return secrets;
}
