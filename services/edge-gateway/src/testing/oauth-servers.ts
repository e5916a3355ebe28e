import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuth2Server } from 'oauth2-mock-server';

/** Who is signed in at the provider. */
export interface Person {
  subject: string;
  email: string;
  isVerified: boolean;
}

export interface OAuthServers {
  env: NodeJS.ProcessEnv;
  person: Person;
  stop(): Promise<void>;
}

/**
 * A real OpenID server replaces Google; the same server without id tokens replaces GitHub, with its paths
 * and its two user endpoints.
 */
export async function startOAuthServers(): Promise<OAuthServers> {
  const google = new OAuth2Server();
  await google.issuer.keys.generate('RS256');
  await google.start(0, '127.0.0.1');
  const person: Person = { subject: '4711', email: 'person@example.com', isVerified: true };
  google.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
    Object.assign(token.payload, { sub: person.subject, email: person.email, email_verified: person.isVerified });
  });
  const googleUrl = `http://127.0.0.1:${google.address().port}`;
  google.issuer.url = googleUrl;
  const github = await startGitHub(googleUrl, person);
  const githubUrl = `http://127.0.0.1:${(github.address() as AddressInfo).port}`;
  return {
    person,
    env: {
      OAUTH_GOOGLE_CLIENT_ID: 'google-client',
      OAUTH_GOOGLE_CLIENT_SECRET: 'google-secret',
      OAUTH_GOOGLE_ISSUER: googleUrl,
      OAUTH_GITHUB_CLIENT_ID: 'github-client',
      OAUTH_GITHUB_CLIENT_SECRET: 'github-secret',
      OAUTH_GITHUB_URL: githubUrl,
      OAUTH_GITHUB_API_URL: githubUrl,
      OAUTH_RETURN_ORIGINS: 'https://app.example.com',
    },
    async stop() {
      await google.stop();
      github.close();
      github.closeAllConnections();
    },
  };
}

async function startGitHub(openId: string, person: Person): Promise<Server> {
  const server = createServer((req, res) => {
    const { pathname, search } = new URL(req.url!, openId);
    const json = (body: unknown): void => {
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    if (pathname === '/login/oauth/authorize') {
      res.writeHead(302, { Location: `${openId}/authorize${search}` }).end();
    } else if (pathname === '/login/oauth/access_token') {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', async () => {
        const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
        const answer = await fetch(`${openId}/token`, { method: 'POST', headers, body: Buffer.concat(chunks) });
        const { access_token } = (await answer.json()) as { access_token?: string };
        if (answer.ok) json({ access_token, token_type: 'bearer', scope: 'read:user,user:email' });
        else json({ error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' });
      });
    } else if (!req.headers.authorization) {
      res.writeHead(401).end();
    } else if (pathname === '/user') {
      json({ login: 'person', id: Number(person.subject) });
    } else {
      json([
        { email: 'other@example.com', primary: false, verified: true },
        { email: person.email, primary: true, verified: person.isVerified },
      ]);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
