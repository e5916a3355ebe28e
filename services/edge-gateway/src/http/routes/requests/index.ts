import { endpoints } from '../../server/endpoints.js';
import { getRequest, listRequests, streamRequests } from './requests.js';
import { getProjectUsage, listUnchargedUsage } from './usage.js';

export const requestRouter = endpoints(listRequests, streamRequests, getRequest, getProjectUsage, listUnchargedUsage);
