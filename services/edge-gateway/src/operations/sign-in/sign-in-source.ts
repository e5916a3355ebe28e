import { createHash } from 'node:crypto';
import type { Context } from '../../context.js';
import { addressBlock } from '../../domain/address-block.js';
import { emailKey } from '../../domain/email.js';
import { readSignInSources, rememberSignIn } from '../../store/sign-in-sources.js';

/** Row of all sources that no sign-in has made known, together. */
export const UNKNOWN_SOURCES = '';

/** Who tries a password, as far as the network and the browser tell. */
export interface Asker {
  address: string;
  browserId: string | undefined;
}

/** Where a password for one e-mail comes from. Failures are counted, and locks hold, per source. */
export interface SignInSource {
  name: string;
  /** The e-mail has signed in from there before. */
  isKnown: boolean;
  blockedUntil: Date | undefined;
}

/**
 * The source of an attempt: the browser where it is known, else the address. Others' wrong passwords do not slow down a
 * known source; the unknown ones wait for each other, so that many addresses do not help to guess.
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

/** After a sign-in from `source`: both the address and the browser are known from now on. */
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

/** Hashed: what opens a lock is not stored in the clear. */
function browserSource({ browserId }: Asker): string | undefined {
  if (browserId === undefined) return undefined;
  return `browser:${createHash('sha256').update(browserId).digest('base64url')}`;
}
