// A provider of sign-ins that behaves like GitHub: a page that asks, codes that work once, and PKCE.
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OAuthProvider {
  origin: string;
  /** Who is signed in there. */
  person: { id: number; email: string };
  /** Settings of a system whose owners sign in with it. */
  env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

const CLIENT_ID = 'console-client';

export async function startOAuthProvider(): Promise<OAuthProvider> {
  const person = { id: 4711, email: 'person@example.com' };
  const challenges = new Map<string, string>();
  const server = createServer((req, res) => {
    answer(req, res, person, challenges).catch(() => res.writeHead(400).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    person,
    env: {
      OAUTH_GITHUB_CLIENT_ID: CLIENT_ID,
      OAUTH_GITHUB_CLIENT_SECRET: 'console-secret',
      OAUTH_GITHUB_URL: origin,
      OAUTH_GITHUB_API_URL: origin,
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  person: OAuthProvider['person'],
  challenges: Map<string, string>,
): Promise<void> {
  const { pathname, searchParams } = new URL(req.url ?? '/', 'http://provider');
  const json = (body: unknown) => res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  if (pathname === '/login/oauth/authorize') {
    res.writeHead(200, { 'Content-Type': 'text/html' }).end(askPage(searchParams, challenges));
  } else if (pathname === '/login/oauth/access_token') {
    const sent = new URLSearchParams(await readText(req));
    const code = sent.get('code') ?? '';
    const challenge = challenges.get(code);
    challenges.delete(code);
    const given = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url');
    if (challenge === given) json({ access_token: 'gho_person', token_type: 'bearer', scope: 'read:user,user:email' });
    else json({ error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' });
  } else if (req.headers.authorization?.toLowerCase() !== 'bearer gho_person') {
    res.writeHead(401).end();
  } else if (pathname === '/user') {
    json({ login: 'person', id: person.id });
  } else {
    json([{ email: person.email, primary: true, verified: true }]);
  }
}

/** The page on which a person agrees or declines. */
function askPage(asked: URLSearchParams, challenges: Map<string, string>): string {
  const lead = (values: Record<string, string>) => {
    const url = new URL(asked.get('redirect_uri') ?? '');
    url.search = new URLSearchParams({ ...values, state: asked.get('state') ?? '' }).toString();
    return url.href.replaceAll('&', '&amp;');
  };
  const code = randomBytes(16).toString('base64url');
  if (asked.get('client_id') === CLIENT_ID) challenges.set(code, asked.get('code_challenge') ?? '');
  return `<!doctype html><title>Sign in</title><h1>Authorize Tollgate</h1>
    <a href="${lead({ code })}">Authorize</a> <a href="${lead({ error: 'access_denied' })}">Cancel</a>`;
}

async function readText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
