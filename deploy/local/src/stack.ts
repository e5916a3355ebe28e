import type { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Client } from '@tollgate/rpc';

/** Where a process of a service answers; `grpc` is absent when all run in one process, `http` in all but the edge's. */
export interface ServicePlace {
  grpc?: string;
  http?: string;
  pid: number;
}

/** A running house. */
export interface Stack {
  httpUrl: string;
  /** By name; further replicas as `<name>-2`, `<name>-3` … */
  services: Record<string, ServicePlace>;
  /** For seeds and tests: what is not reachable through the public API. */
  billing: Client<typeof BillingService>;
  stop(): Promise<void>;
}

export interface StackOptions {
  /** Environment of all services: DATABASE_URL and whatever their configurations name. */
  env: NodeJS.ProcessEnv;
  httpPort: number;
  /** Processes per service where each has its own; default 1. */
  replicas?: Partial<Record<ServiceName, number>>;
  /** Folder for the services' logs. */
  logDir: string;
  /** Told when a service was started again. */
  onPlacesChanged?: (services: Record<string, ServicePlace>) => void;
  log?: (line: string) => void;
}

/** The seven, in the order in which they start: whom others call comes first. */
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
