import type { Prisma, PrismaClient } from './generated/client.js';

/** The client or an open interactive transaction. */
export type Db = PrismaClient | Prisma.TransactionClient;
