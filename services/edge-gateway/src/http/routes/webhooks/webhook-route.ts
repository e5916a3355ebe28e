import { endpointRoutes } from '../endpoint-routes.js';

export const { projectRoute, endpointRoute } = endpointRoutes({
  segment: 'webhooks',
  idParam: 'webhook_id',
  tag: 'Webhooks',
  name: 'webhook',
});
