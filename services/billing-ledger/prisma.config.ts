import { prismaConfig } from '@tollgate/postgres/prisma-config';

export default prismaConfig('billing_ledger');
