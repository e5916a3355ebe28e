import { type System, startSystem, type TestProject } from '../system/start-system.js';

/** The owner that a development system signs in without a password. */
export const LOCAL_OWNER = 'owner@tollgate.local';

/** Starts the whole product with a funded project that belongs to the local owner. */
export async function startWithLocalOwner(): Promise<{ system: System; project: TestProject }> {
  const system = await startSystem({ mode: 'one process', env: { DEV_OWNER_EMAIL: LOCAL_OWNER } });
  const project = await system.project();
  await system.query('UPDATE edge_gateway.users SET email = $1, email_key = $1', [LOCAL_OWNER]);
  return { system, project };
}
