import type { Route } from '../../exchange/route.js';
import { getStatus } from './get-status.js';

export const statusRoutes: readonly Route[] = [getStatus];
