import type { Prisma, PrismaClient } from './generated/client.js';

/** An open interactive transaction. */
export type Tx = Prisma.TransactionClient;

/** The client or an open transaction. */
export type Db = PrismaClient | Tx;
