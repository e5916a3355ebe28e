import { checkHealth } from '@tollgate/rpc';

const TIMEOUT_MS = 60_000;
const PAUSE_MS = 100;

/** Waits until a service's gRPC health check reports SERVING. */
export async function awaitHealthy(address: string, name: string, logDir: string): Promise<void> {
  await until(() => checkHealth(address, 1_000), `${name} did not become healthy; see ${logDir}/${name}.log`);
}

/** Waits until the edge is ready for requests. */
export async function awaitReady(baseUrl: string, logDir: string): Promise<void> {
  const isReady = async (): Promise<boolean> =>
    (await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok;
  await until(isReady, `edge-gateway did not become ready; see ${logDir}/edge-gateway.log`);
}

async function until(check: () => Promise<boolean>, message: string): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (await check().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(message);
}
