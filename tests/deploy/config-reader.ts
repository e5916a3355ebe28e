import type { Environment } from './chart.js';

/** The configuration reader of a service. */
export async function configReader(
  service: string,
): Promise<{ (env: Environment): object; variables: readonly string[] }> {
  return (await import(`@tollgate/${service}`)).configFromEnv;
}
