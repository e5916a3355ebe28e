import { prismaConfig } from '@tollgate/postgres/prisma-config';

export default prismaConfig('edge_gateway');
