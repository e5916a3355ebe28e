import { endpointRoutes } from '../endpoint-routes.js';

export const { projectRoute, endpointRoute } = endpointRoutes({
  segment: 'connections',
  idParam: 'connection_id',
  tag: 'Connections',
  name: 'connection',
  errorShape: 'native',
});
