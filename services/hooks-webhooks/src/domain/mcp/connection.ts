import { z } from 'zod';

const client = z.looseObject({ client_id: z.string(), client_secret: z.string().optional() });
const tokens = z.looseObject({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  expires_in: z.number().optional(),
});

/** Where an account of the owner is connected, in the form of the protocol's library. */
const account = z.object({
  client,
  /** Empty for a client that acts for itself. */
  redirectUri: z.string(),
  authorizationServerUrl: z.string(),
  /** Absent: the server publishes none, and has the paths of the protocol's first version. */
  metadata: z.looseObject({ issuer: z.string() }).optional(),
  /** Of RFC 8707; absent when the server publishes no metadata. */
  resource: z.string().optional(),
});

/** The sealed data of a connected server. */
export const connectionSchema = account.extend({
  tokens,
  /** Set when new tokens are issued to the client itself; absent when they are of an account. */
  clientGrant: z.object({ scope: z.string().optional() }).optional(),
});
/** The sealed data of an authorization until its code returns. */
export const attemptSchema = account.extend({ codeVerifier: z.string() });

export type OAuthAccount = z.output<typeof account>;
export type Connection = z.output<typeof connectionSchema>;
export type Attempt = z.output<typeof attemptSchema>;
export type OAuthClient = z.output<typeof client>;
export type OAuthTokens = z.output<typeof tokens>;
