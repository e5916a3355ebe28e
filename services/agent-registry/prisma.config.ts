import { prismaConfig } from '@tollgate/postgres/prisma-config';

export default prismaConfig('agent_registry');
