// Prints a .env for deploy/compose.yaml with fresh secrets: `node deploy/make-env.mjs > deploy/.env`.
// The same values serve for Kubernetes secrets. Keep them: a new KEY_PEPPER voids every API key, a new
// SECRETS_ENCRYPTION_KEY every stored hook and webhook secret.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

const fresh = {
  POSTGRES_PASSWORD: randomBytes(24).toString('base64url'),
  KEY_PEPPER: randomBytes(32).toString('base64url'),
  JWT_PRIVATE_KEYS: `'${JSON.stringify([signingKey()])}'`,
  SECRETS_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};

const example = readFileSync(new URL('.env.example', import.meta.url), 'utf8');
process.stdout.write(example.replaceAll(/^([A-Z0-9_]+)=$/gm, (line, name) => line + (fresh[name] ?? '')));

/** An Ed25519 key as a private JWK. To rotate, put a new one in front of the old one and drop the old one after 31 days (customer tokens live up to 30). */
function signingKey() {
  const { kty, crv, x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return { kty, crv, x, d };
}
