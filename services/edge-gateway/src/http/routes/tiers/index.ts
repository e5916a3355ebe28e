import { endpoints } from '../../server/endpoints.js';
import { createTier, deleteTier, getTier, listProjectTiers, listTiers, migrateTierPrice, updateTier } from './tiers.js';

export const tierRouter = endpoints(
  listTiers,
  getTier,
  listProjectTiers,
  createTier,
  updateTier,
  deleteTier,
  migrateTierPrice,
);
