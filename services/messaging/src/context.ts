import type { Clock } from '@tollgate/runtime';
import type { Parts } from '@tollgate/service';
import type { Config } from './config.js';
import { PrismaClient } from './store/generated/client.js';

export interface Context {
  clock: Clock;
  prisma: PrismaClient;
}

/** Constructs what the operations use. */
export function createContext(parts: Parts<Config>): Context {
  const prisma = parts.openPrisma(parts.openPool(), (options) => new PrismaClient(options));
  return { clock: parts.clock, prisma };
}
