import { endpoints } from '../../server/endpoints.js';
import { getProjectUsage } from './get-project-usage.js';
import { getRequest } from './get-request.js';
import { listRequests } from './list-requests.js';
import { listUnchargedUsage } from './list-uncharged-usage.js';
import { streamRequests } from './stream-requests.js';

export const requestRouter = endpoints(listRequests, streamRequests, getRequest, getProjectUsage, listUnchargedUsage);
