let loaded: Promise<Crypto> | undefined;

/** Returns WebCrypto. Browsers, edge runtimes and Node 20 have it as a global; Node 18 has it in a module. */
export function loadCrypto(): Promise<Crypto> {
  loaded ??= globalThis.crypto?.subtle === undefined ? importCrypto() : Promise.resolve(globalThis.crypto);
  return loaded;
}

async function importCrypto(): Promise<Crypto> {
  // A variable, so that bundlers for browsers do not look for the module.
  const name = 'node:crypto';
  const { webcrypto } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as { webcrypto: Crypto };
  return webcrypto;
}

/** Returns a random name of 32 characters. */
export async function makeIdempotencyKey(): Promise<string> {
  const bytes = (await loadCrypto()).getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
