import { endpoints } from '../server/endpoints.js';
import { getDocsFile, showDocs } from './docs.js';
import { listErrors, showError } from './errors.js';
import { showLanding } from './landing.js';
import { showMailbox } from './mailbox.js';

/** What browsers open. The OpenAPI document describes none of it. */
export const pageRouter = endpoints(showLanding, showDocs, getDocsFile, listErrors, showError, showMailbox);
