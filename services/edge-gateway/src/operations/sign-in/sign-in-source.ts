import { createHash } from 'node:crypto';
import type { Context } from '../../context.js';
import { addressBlock } from '../../domain/address-block.js';
import { emailKey } from '../../domain/email.js';
import { readSignInSources, rememberSignIn } from '../../store/sign-in-sources.js';

/** The shared row of all unknown sources. */
export const UNKNOWN_SOURCES = '';

/** The network address and browser that a sign-in attempt comes from. */
export interface Asker {
  address: string;
  browserId: string | undefined;
}

/** The source of sign-in attempts for one email. Failures and locks count per source. */
export interface SignInSource {
  name: string;
  /** True when the email has signed in from there before. */
  isKnown: boolean;
  blockedUntil: Date | undefined;
}

/**
 * Returns the source of an attempt: the browser when it is known, else the address. Wrong passwords from elsewhere do
 * not delay a known source; unknown sources share one limit, so that many addresses do not help to guess.
 */
export async function readSignInSource(ctx: Pick<Context, 'pool'>, email: string, asker: Asker): Promise<SignInSource> {
  const address = addressSource(asker);
  const browser = browserSource(asker);
  const names = [UNKNOWN_SOURCES, address, ...(browser === undefined ? [] : [browser])];
  const rows = new Map((await readSignInSources(ctx.pool, emailKey(email), names)).map((row) => [row.source, row]));
  const knownBrowser = browser !== undefined && rows.get(browser)?.is_known === true;
  const name = knownBrowser ? browser : address;
  const isKnown = rows.get(name)?.is_known ?? false;
  const blocks = [rows.get(name), isKnown ? undefined : rows.get(UNKNOWN_SOURCES)].map((row) => row?.blocked_until);
  const latestMs = Math.max(...blocks.map((block) => block?.getTime() ?? 0));
  return { name, isKnown, blockedUntil: latestMs === 0 ? undefined : new Date(latestMs) };
}

/** Records the address and the browser of a successful sign-in as known. */
export async function rememberSignInSource(
  ctx: Pick<Context, 'pool'>,
  email: string,
  asker: Asker,
  source: SignInSource,
): Promise<void> {
  const browser = browserSource(asker);
  const names = [addressSource(asker), ...(browser === undefined ? [] : [browser])];
  await rememberSignIn(ctx.pool, emailKey(email), names, source.name);
}

function addressSource({ address }: Asker): string {
  return `address:${addressBlock(address)}`;
}

/** Hashed, because the browser id bypasses locks. */
function browserSource({ browserId }: Asker): string | undefined {
  if (browserId === undefined) return undefined;
  return `browser:${createHash('sha256').update(browserId).digest('base64url')}`;
}
