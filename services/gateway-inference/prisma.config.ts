import { prismaConfig } from '@tollgate/postgres/prisma-config';

export default prismaConfig('gateway_inference');
