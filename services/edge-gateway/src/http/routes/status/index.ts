import { endpoints } from '../../server/endpoints.js';
import { getStatus } from './get-status.js';

export const statusRouter = endpoints(getStatus);
