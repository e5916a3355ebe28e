import { z } from 'zod';

export const customerParams = z.object({ id: z.string() });
export const projectParams = z.object({ id: z.string() });
export const projectCustomerParams = z.object({ id: z.string(), customer_id: z.string() });
