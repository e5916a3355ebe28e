import type { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Client } from '@tollgate/rpc';

/** The addresses of a service's process; `grpc` is absent when all run in one process, `http` in all but the edge. */
export interface ServicePlace {
  grpc?: string;
  http?: string;
  /** Answers `/metrics`, `/healthz` and `/readyz`. One for all services when all run in one process. */
  health: string;
  pid: number;
}

/** The running services. */
export interface Stack {
  httpUrl: string;
  /** By name; further replicas as `<name>-2`, `<name>-3` … */
  services: Record<string, ServicePlace>;
  /** For seeds and tests, which need calls that the public API does not have. */
  billing: Client<typeof BillingService>;
  stop(): Promise<void>;
}

export interface StackOptions {
  /** The environment of all services: DATABASE_URL and the other settings that they read. */
  env: NodeJS.ProcessEnv;
  httpPort: number;
  /** Of the one process, or of the edge's. Default: a free one. */
  healthPort?: number;
  /** Further environment of one process in the separate mode, by its key: `<name>`, `<name>-2` … */
  envFor?: (key: string) => NodeJS.ProcessEnv;
  /** Processes per service in the separate mode; default 1. */
  replicas?: Partial<Record<ServiceName, number>>;
  /** Folder for the services' logs. */
  logDir: string;
  /** Called after a service was restarted. */
  onPlacesChanged?: (services: Record<string, ServicePlace>) => void;
  log?: (line: string) => void;
}

/** The services in the order in which they start: callees before their callers. */
export const SERVICE_NAMES = [
  'billing-ledger',
  'agent-registry',
  'messaging',
  'hooks-webhooks',
  'gateway-inference',
  'workflow-engine',
  'edge-gateway',
] as const;

export type ServiceName = (typeof SERVICE_NAMES)[number];
