import type { Route } from '../../exchange/route.js';
import { connectRealtime } from './connect-realtime.js';

export const realtimeRoutes: Route[] = [connectRealtime];
