import { endpoints } from '../../server/endpoints.js';
import { getStatus } from './status.js';

export const statusRouter = endpoints(getStatus);
