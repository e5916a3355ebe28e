import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { openSecret } from '@tollgate/runtime/secret-box';
import { configFromEnv } from './config.js';
import { resealSecret } from './operations/signing-secrets.js';

const key = randomBytes(32).toString('base64');
const required = { DATABASE_URL: 'postgresql://localhost/tollgate', SECRETS_ENCRYPTION_KEY: key };

describe('configFromEnv', () => {
  it('requires only the database and the key', () => {
    expect(configFromEnv(required)).toMatchObject({
      database: { schema: 'hooks_webhooks' },
      grpc: { host: '0.0.0.0', port: 50051 },
      allowPrivateEndpoints: false,
      limits: { perEndpoint: 10, leaseMarginMs: 15_000, pollMs: 1_000, retentionDays: 30 },
    });
  });

  it('names missing variables', () => {
    expect(() => configFromEnv({})).toThrow(/DATABASE_URL[\s\S]*SECRETS_ENCRYPTION_KEY/);
  });

  it.each(['short', 'x'.repeat(64), randomBytes(16).toString('hex')])(
    'refuses the key %s without showing it',
    (bad) => {
      const read = () => configFromEnv({ ...required, SECRETS_ENCRYPTION_KEY: bad });
      expect(read).toThrow('SECRETS_ENCRYPTION_KEY: expected 32 bytes in base64 or hex');
      expect(read).not.toThrow(bad);
    },
  );

  it('accepts the key in hex, and opens secrets of previous keys', () => {
    const { keyring: before } = configFromEnv(required);
    const sealed = resealSecret(before, 'whsec_text', 'record');
    const { keyring: after } = configFromEnv({
      ...required,
      SECRETS_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      SECRETS_ENCRYPTION_KEYS_PREVIOUS: key,
    });
    expect(after.currentKeyId).not.toBe(before.currentKeyId);
    expect(openSecret(after, sealed, 'record')).toBe('whsec_text');
  });
});
