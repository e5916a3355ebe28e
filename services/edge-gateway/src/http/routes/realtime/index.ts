import { endpoints } from '../../server/endpoints.js';
import { connectRealtime } from './connect-realtime.js';

export const realtimeRouter = endpoints(connectRealtime);
