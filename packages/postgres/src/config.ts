import { delimiter } from 'node:path';

/**
 * Returns the server that tests use, from `TEST_DATABASE_URL`.
 *
 * @throws Error when the test run did not set it
 */
export function readTestServerUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url)
    throw new Error('TEST_DATABASE_URL is not set: run tests through tests/jest.config.mjs, which starts a server');
  return url;
}

/** Returns the folders of `PATH`, in their order. */
export function readPath(): string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
}
