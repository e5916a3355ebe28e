import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';

const publicJwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal('EdDSA'),
});

export const getJwks = defineRoute({
  method: 'GET',
  path: '/.well-known/jwks.json',
  tag: 'Authentication',
  summary: 'Get the public keys of tokens; two during a key rotation',
  operationId: 'listSigningKeys',
  description:
    'Verify access tokens and customer tokens with these keys. Cache them, and read them again when a token names an unknown key.',
  auth: 'none',
  success: { status: 200, schema: z.object({ keys: z.array(publicJwk) }) },
  handler: async (_input, ctx) => ({
    body: ctx.tokens.jwks,
    headers: { 'Cache-Control': 'public, max-age=300' },
  }),
});
