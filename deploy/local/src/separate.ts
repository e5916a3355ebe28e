import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { GrpcNetwork } from '@tollgate/rpc';
import { freePort } from '@tollgate/runtime/free-port';
import { addressVariable, PEER_NAMES } from '@tollgate/service';
import { awaitHealthy, awaitReady } from './health.js';
import { MEMORY_SETTINGS } from './memory-settings.js';
import { type Slot, startProcesses } from './processes.js';
import { SERVICE_NAMES, type ServicePlace, type Stack, type StackOptions } from './stack.js';

/** Starts one process per service, connected over gRPC. Restarts a process that ends, after growing pauses. */
export async function startSeparate(options: StackOptions): Promise<Stack> {
  mkdirSync(options.logDir, { recursive: true });
  const slots = await planSlots(options);
  const env: NodeJS.ProcessEnv = {
    ...options.env,
    ...toAddressSettings(slots),
    HTTP_HOST: '127.0.0.1',
    GRPC_HOST: '127.0.0.1',
    HEALTH_HOST: '127.0.0.1',
  };
  const places = (): Record<string, ServicePlace> =>
    Object.fromEntries(processes.children().map(([slot, child]) => [slot.key, toPlace(slot, child)]));
  const processes = startProcesses(slots, {
    spawn: (slot) => spawnService(slot, { ...env, ...options.envFor?.(slot.key) }, options.logDir),
    log: (line) => options.log?.(line),
    onRestarted: () => options.onPlacesChanged?.(places()),
  });
  const starting = (slot: Slot) => ({ name: slot.key, logDir: options.logDir, ends: () => processes.ends(slot) });
  const stop = async (): Promise<void> => {
    await Promise.all([processes.stop(), network.close()]);
  };
  const network = new GrpcNetwork({ addresses: { [BillingService.typeName]: env.BILLING_LEDGER_ADDR ?? '' } });
  try {
    for (const slot of slots) await awaitHealthy(`127.0.0.1:${slot.port}`, starting(slot));
    for (const slot of slots) if (slot.httpPort !== undefined) await awaitReady(toHttpUrl(slot), starting(slot));
  } catch (error) {
    await stop();
    throw error;
  }
  const edge = slots.find(({ name }) => name === 'edge-gateway') as Slot;
  return { httpUrl: toHttpUrl(edge), services: places(), billing: network.client(BillingService), stop };
}

/** Returns the replicas in the order in which the services start. */
async function planSlots({ replicas = {}, httpPort, healthPort }: StackOptions): Promise<Slot[]> {
  const wanted = SERVICE_NAMES.flatMap((name) => Array.from({ length: replicas[name] ?? 1 }, (_, i) => ({ name, i })));
  return Promise.all(
    wanted.map(async ({ name, i }) => ({
      key: i === 0 ? name : `${name}-${i + 1}`,
      name,
      port: await freePort(),
      healthPort: await freePort(name === 'edge-gateway' && i === 0 ? healthPort : undefined),
      httpPort: name === 'edge-gateway' ? await freePort(i === 0 ? httpPort : undefined) : undefined,
    })),
  );
}

/** The settings that hold the addresses of each service's replicas. */
function toAddressSettings(slots: readonly Slot[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    PEER_NAMES.map((name) => {
      const hosts = slots.filter((slot) => slot.name === name).map(({ port }) => `127.0.0.1:${port}`);
      return [addressVariable(name), hosts.length === 1 ? hosts[0] : `ipv4:${hosts.join(',')}`];
    }),
  );
}

function toPlace(slot: Slot, child: ChildProcess): ServicePlace {
  const http = slot.httpPort === undefined ? {} : { http: toHttpUrl(slot) };
  const health = `http://127.0.0.1:${slot.healthPort}`;
  return { grpc: `127.0.0.1:${slot.port}`, health, pid: child.pid ?? 0, ...http };
}

function toHttpUrl({ httpPort }: Slot): string {
  return `http://127.0.0.1:${httpPort}`;
}

/** Returns the environment of one service's process; settings of the caller win over the defaults. */
export function toServiceEnv(
  { name, port, healthPort, httpPort }: Omit<Slot, 'key'>,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  return {
    ...MEMORY_SETTINGS,
    HTTP_IDLE_GRACE: '0s',
    ...env,
    GRPC_PORT: String(port),
    HEALTH_PORT: String(healthPort),
    ...(httpPort !== undefined && { HTTP_PORT: String(httpPort) }),
    // With one name for all, a span would not show its service.
    OTEL_SERVICE_NAME: name,
  };
}

function spawnService(slot: Slot, env: NodeJS.ProcessEnv, logDir: string): ChildProcess {
  const main = fileURLToPath(new URL(`../../../services/${slot.name}/dist/main.js`, import.meta.url));
  const log = openSync(join(logDir, `${slot.key}.log`), 'a');
  const options = { env: toServiceEnv(slot, env), stdio: ['ignore', log, log] satisfies StdioOptions };
  const child = spawn(process.execPath, [...process.execArgv, main], options);
  closeSync(log);
  return child;
}
