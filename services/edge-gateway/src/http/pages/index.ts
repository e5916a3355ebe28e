import type { Route } from '../exchange/route.js';
import { getDocsFile, showDocs } from './docs.js';
import { showLanding } from './landing.js';
import { showMailbox } from './mailbox.js';

/** What browsers open. The OpenAPI document describes none of it. */
export const pageRoutes: readonly Route[] = [showLanding, showDocs, getDocsFile, showMailbox];
