import { z } from 'zod';
import { authTokensSchema, refreshBody, registerBody } from './auth.js';

/** `PUT /auth/browser-session` */
export const keepBrowserSessionBody = refreshBody;

/** `POST /auth/browser-session/sign-up` */
export const signUpInBrowserBody = registerBody.omit({ billing_provider: true });

/** An access token; the refresh token of the session is in the browser's cookie. */
export const browserSessionSchema = authTokensSchema.omit({ refresh_token: true });

const oauthProvider = z.enum(['github', 'google']);

/** `GET /auth/sign-in-options` */
export const signInOptionsSchema = z.object({
  /** Providers that are configured, besides email and password. */
  oauth_providers: z.array(oauthProvider),
  /** The name of each on pages: another OpenID provider may replace Google. */
  oauth_names: z.partialRecord(oauthProvider, z.string()),
  /** Whether `POST /auth/dev-login` signs in a demo owner; only with DEV_MODE=1. */
  demo_owner: z.boolean(),
  /** Whether `POST /auth/password-reset` sends mails. */
  password_reset: z.boolean(),
});

export type BrowserSession = z.output<typeof browserSessionSchema>;
export type SignInOptions = z.output<typeof signInOptionsSchema>;
