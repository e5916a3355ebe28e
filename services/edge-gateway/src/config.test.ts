import { describe, expect, it } from '@jest/globals';
import { configFromEnv } from './config.js';

const database = { DATABASE_URL: 'postgresql://localhost/db' };
const secrets = { KEY_PEPPER: 'x'.repeat(32), JWT_PRIVATE_KEYS: '[]' };

describe('configFromEnv', () => {
  it('requires a database and, outside of development, its secrets', () => {
    expect(() => configFromEnv({})).toThrow(/DATABASE_URL/);
    expect(() => configFromEnv(database)).toThrow(/KEY_PEPPER and JWT_PRIVATE_KEYS/);
    expect(() => configFromEnv({ ...database, KEY_PEPPER: secrets.KEY_PEPPER })).toThrow(/JWT_PRIVATE_KEYS/);
    expect(configFromEnv({ ...database, ...secrets }).devMode).toBe(false);
    expect(configFromEnv({ ...database, DEV_MODE: '1' }).devMode).toBe(true);
  });

  it('has the documented defaults', () => {
    expect(configFromEnv({ ...database, ...secrets })).toMatchObject({
      database: { schema: 'edge_gateway' },
      keyPrefix: 'tg_',
      limitsPerMinute: {
        secretKey: 1000,
        publishableKey: 100,
        customer: 300,
        signInPerEmail: 10,
        signInPerAddress: 30,
      },
      redisUrl: undefined,
    });
  });

  it('hides an invalid secret', () => {
    expect(() => configFromEnv({ ...database, KEY_PEPPER: 'hunter2' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });

  it('sends mails by SMTP, keeps them in development, and else has none', () => {
    const smtp = { MAIL_URL: 'smtp://user:secret@mail.example:587', MAIL_FROM: 'Tollgate <noreply@gate.example>' };
    const read = (env: object) => configFromEnv({ ...database, ...secrets, ...env }).mail;
    expect(read(smtp)).toEqual({ kind: 'smtp', url: smtp.MAIL_URL, from: smtp.MAIL_FROM });
    expect(read({ DEV_MODE: '1' })).toEqual({ kind: 'local' });
    expect(read({})).toBeUndefined();
    for (const wrong of [{ MAIL_FROM: undefined }, { MAIL_FROM: 'no address' }, { MAIL_URL: 'https://secret' }]) {
      const faulty = () => read({ ...smtp, ...wrong });
      expect(faulty).toThrow(/MAIL_/);
      expect(faulty).not.toThrow(/secret/);
    }
  });

  it.each([
    [{}, 'Google'],
    [{ OAUTH_GOOGLE_ISSUER: 'https://login.example:8443/realms/a' }, 'login.example:8443'],
    [{ OAUTH_GOOGLE_ISSUER: 'https://login.example', OAUTH_GOOGLE_NAME: 'Example SSO' }, 'Example SSO'],
  ])('calls the OpenID provider of %j %s', (env, name) => {
    const client = { OAUTH_GOOGLE_CLIENT_ID: 'id', OAUTH_GOOGLE_CLIENT_SECRET: 'secret' };
    expect(configFromEnv({ ...database, ...secrets, ...client, ...env }).oauth.google?.name).toBe(name);
  });

  it.each(['TG_', 'tg', 't-g_', ''])('rejects the key prefix %j, or falls back for an empty one', (prefix) => {
    const read = () => configFromEnv({ ...database, ...secrets, KEY_PREFIX: prefix });
    if (prefix === '') expect(read().keyPrefix).toBe('tg_');
    else expect(read).toThrow(/KEY_PREFIX/);
  });
});
