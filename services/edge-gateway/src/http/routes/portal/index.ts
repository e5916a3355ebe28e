import { endpoints } from '../../server/endpoints.js';
import { changeMyTier, listMyTiers, previewMyTierChange } from './my-tiers.js';
import { createPortalLink, listMyDevices, listMyPayments, signOutMyDevice, startPortalSession } from './portal.js';

/** The customer portal: its links, its sessions, what only it shows, and changes of the tier. */
export const portalRouter = endpoints(
  createPortalLink,
  startPortalSession,
  listMyDevices,
  signOutMyDevice,
  listMyPayments,
  listMyTiers,
  previewMyTierChange,
  changeMyTier,
);
