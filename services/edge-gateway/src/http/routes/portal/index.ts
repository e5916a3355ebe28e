import { endpoints } from '../../server/endpoints.js';
import { changeMyTier } from './change-my-tier.js';
import { createPortalLink } from './create-portal-link.js';
import { listMyDevices } from './list-my-devices.js';
import { listMyPayments } from './list-my-payments.js';
import { listMyTiers } from './list-my-tiers.js';
import { previewMyTierChange } from './preview-my-tier-change.js';
import { signOutMyDevice } from './sign-out-my-device.js';
import { startPortalSession } from './start-portal-session.js';

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
