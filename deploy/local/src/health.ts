import { checkHealth } from '@tollgate/rpc';
import { elapsed } from '@tollgate/runtime';

/** A loaded machine may need minutes; a service that cannot start is found by how often it ended. */
const TIMEOUT_MS = 300_000;
const ENDS_MAX = 4;
const PAUSE_MS = 50;

/** A service that is starting. */
export interface Starting {
  name: string;
  logDir: string;
  /** How often its process has ended. */
  ends(): number;
}

/** Waits until a service's gRPC health check reports SERVING. @throws Error once it has ended several times */
export async function awaitHealthy(address: string, service: Starting): Promise<void> {
  await until(() => checkHealth(address, 1_000), service, 'healthy');
}

/** Waits until the edge is ready for requests. @throws Error once it has ended several times */
export async function awaitReady(baseUrl: string, service: Starting): Promise<void> {
  const isReady = async (): Promise<boolean> =>
    (await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok;
  await until(isReady, service, 'ready');
}

async function until(check: () => Promise<boolean>, { name, logDir, ends }: Starting, state: string): Promise<void> {
  const deadline = elapsed() + TIMEOUT_MS;
  while (elapsed() < deadline && ends() < ENDS_MAX) {
    if (await check().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`${name} did not become ${state}; see ${logDir}/${name}.log`);
}
