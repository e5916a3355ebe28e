import type { Route } from '../../exchange/route.js';
import { createTier } from './create-tier.js';
import { deleteTier } from './delete-tier.js';
import { getTier } from './get-tier.js';
import { listProjectTiers } from './list-project-tiers.js';
import { listTiers } from './list-tiers.js';
import { updateTier } from './update-tier.js';

export const tierRoutes: Route[] = [listTiers, getTier, listProjectTiers, createTier, updateTier, deleteTier];
