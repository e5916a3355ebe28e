import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { GrpcNetwork } from '@tollgate/rpc';
import { pickPort } from './free-port.js';
import { awaitHealthy, awaitReady } from './health.js';
import { SERVICE_NAMES, type ServiceName, type ServicePlace, type Stack, type StackOptions } from './stack.js';

const RESTART_FIRST_MS = 200;
const RESTART_MAX_MS = 5_000;
/** A service that lived this long starts over with the shortest pause. */
const STEADY_MS = 10_000;
const STOP_TIMEOUT_MS = 30_000;

/** Names of the variables by which services find each other. */
const ADDRESS_VARIABLES: Record<Exclude<ServiceName, 'edge-gateway'>, string> = {
  'billing-ledger': 'BILLING_LEDGER_ADDR',
  'agent-registry': 'AGENT_REGISTRY_ADDR',
  messaging: 'MESSAGING_ADDR',
  'hooks-webhooks': 'HOOKS_WEBHOOKS_ADDR',
  'gateway-inference': 'GATEWAY_INFERENCE_ADDR',
  'workflow-engine': 'WORKFLOW_ENGINE_ADDR',
};

interface Supervised {
  name: ServiceName;
  child: ChildProcess;
}

/** One process per service over gRPC; a service that dies is started again after a growing pause. */
export async function startSeparate(options: StackOptions): Promise<Stack> {
  mkdirSync(options.logDir, { recursive: true });
  const ports = Object.fromEntries(
    await Promise.all(SERVICE_NAMES.map(async (name) => [name, await pickPort()])),
  ) as Record<ServiceName, number>;
  const httpPort = await pickPort(options.httpPort);
  const addresses = Object.fromEntries(
    Object.entries(ADDRESS_VARIABLES).map(([name, variable]) => [variable, `127.0.0.1:${ports[name as ServiceName]}`]),
  );
  const env = {
    ...options.env,
    ...addresses,
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: String(httpPort),
    GRPC_HOST: '127.0.0.1',
  };
  const house = new Map<ServiceName, Supervised>();
  let isStopping = false;

  const places = (): Record<string, ServicePlace> =>
    Object.fromEntries(
      [...house.values()].map(({ name, child }) => [name, { grpc: `127.0.0.1:${ports[name]}`, pid: child.pid ?? 0 }]),
    );
  const launch = (name: ServiceName, pauseMs = RESTART_FIRST_MS): void => {
    const startedAt = Date.now();
    const child = spawnService(name, { ...env, GRPC_PORT: String(ports[name]) }, options.logDir);
    house.set(name, { name, child });
    child.on('exit', (code, signal) => {
      if (isStopping) return;
      const next = Date.now() - startedAt > STEADY_MS ? RESTART_FIRST_MS : Math.min(pauseMs * 2, RESTART_MAX_MS);
      options.log?.(`${name} ended (${signal ?? code}); starting it again in ${next} ms`);
      setTimeout(() => {
        if (isStopping) return;
        launch(name, next);
        options.onPlacesChanged?.(places());
      }, next);
    });
  };
  const stop = async (): Promise<void> => {
    isStopping = true;
    await network.close();
    // The edge first: it stops taking requests while those it serves can still be answered.
    for (const name of [...SERVICE_NAMES].reverse()) await endChild(house.get(name)?.child);
  };
  const network = new GrpcNetwork({ addresses: { [BillingService.typeName]: `127.0.0.1:${ports['billing-ledger']}` } });
  try {
    for (const name of SERVICE_NAMES) launch(name);
    for (const name of SERVICE_NAMES) await awaitHealthy(`127.0.0.1:${ports[name]}`, name, options.logDir);
    await awaitReady(`http://127.0.0.1:${httpPort}`, options.logDir);
  } catch (error) {
    await stop();
    throw error;
  }
  return { httpUrl: `http://127.0.0.1:${httpPort}`, services: places(), billing: network.client(BillingService), stop };
}

function spawnService(name: ServiceName, env: NodeJS.ProcessEnv, logDir: string): ChildProcess {
  const main = fileURLToPath(new URL(`../../../services/${name}/dist/main.js`, import.meta.url));
  const log = openSync(join(logDir, `${name}.log`), 'a');
  const child = spawn(process.execPath, [...process.execArgv, main], { env, stdio: ['ignore', log, log] });
  closeSync(log);
  return child;
}

async function endChild(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
