import { z } from 'zod';
import { connectionId } from '../connections/connection-id.js';
import { isOwnList } from './include-models.js';
import { priceListNames } from './load-price-list.js';

/** Schema of one entry of the catalog file's `include`. */
export const includeSchema = z
  .strictObject({
    list: z.string().refine((name) => priceListNames.includes(name), `must be one of ${priceListNames.join(', ')}`),
    connection: connectionId.optional(),
    models: z.array(z.string().max(200)).min(1).max(1_000).optional(),
  })
  .refine(
    ({ list, connection }) => connection !== undefined || isOwnList(list),
    'connection is required for this list',
  );
