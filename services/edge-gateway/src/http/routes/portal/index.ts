import type { Route } from '../../exchange/route.js';
import { createPortalLink } from './create-portal-link.js';
import { listMyDevices } from './list-my-devices.js';
import { listMyPayments } from './list-my-payments.js';
import { listMyTiers } from './list-my-tiers.js';
import { previewMyTierChange } from './preview-my-tier-change.js';
import { signOutMyDevice } from './sign-out-my-device.js';
import { startPortalSession } from './start-portal-session.js';

/** The customer portal: its links, its sessions, and what only it shows. */
export const portalRoutes: Route[] = [
  createPortalLink,
  startPortalSession,
  listMyDevices,
  signOutMyDevice,
  listMyPayments,
  listMyTiers,
  previewMyTierChange,
];
