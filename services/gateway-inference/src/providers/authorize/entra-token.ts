import { type IssuedToken, requestToken } from './token-request.js';

/** An application of Entra ID, and its secret. */
export interface EntraClient {
  tenantId: string;
  clientId: string;
  clientSecret: string;
}

const ORIGIN = 'https://login.microsoftonline.com';
const SCOPE = 'https://cognitiveservices.azure.com/.default';

/**
 * Returns a token for Azure's models by the flow of client credentials. @throws TokenError
 *
 * Source: learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow; the scope by the example of `AzureOpenAI` in
 * the `openai` client library 6.49, read 2026-11-30.
 */
export function issueEntraToken(client: EntraClient, origin = ORIGIN): Promise<IssuedToken> {
  return requestToken(`${origin}/${encodeURIComponent(client.tenantId)}/oauth2/v2.0/token`, {
    grant_type: 'client_credentials',
    client_id: client.clientId,
    client_secret: client.clientSecret,
    scope: SCOPE,
  });
}
