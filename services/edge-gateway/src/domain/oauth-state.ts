import { createHash, timingSafeEqual } from 'node:crypto';

/** Creates a `state` that only the browser with this id can return. `random` makes each sign-in's state unique. */
export function oauthState(random: string, browserId: string): string {
  return `${random}.${computeBinding(random, browserId)}`;
}

export function isStateOfBrowser(state: string, browserId: string): boolean {
  const [random = '', binding = ''] = state.split('.');
  const [given, expected] = [Buffer.from(binding), Buffer.from(computeBinding(random, browserId))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function computeBinding(random: string, browserId: string): string {
  return createHash('sha256').update(`${random}.${browserId}`).digest('base64url');
}
