import { endpoints } from '../../server/endpoints.js';
import { createTier } from './create-tier.js';
import { deleteTier } from './delete-tier.js';
import { getTier } from './get-tier.js';
import { listProjectTiers } from './list-project-tiers.js';
import { listTiers } from './list-tiers.js';
import { migrateTierPrice } from './migrate-tier-price.js';
import { updateTier } from './update-tier.js';

export const tierRouter = endpoints(
  listTiers,
  getTier,
  listProjectTiers,
  createTier,
  updateTier,
  deleteTier,
  migrateTierPrice,
);
