import { endpointRoutes } from '../endpoint-routes.js';

export const { projectRoute, endpointRoute } = endpointRoutes({
  segment: 'tool-hooks',
  idParam: 'hook_id',
  tag: 'Tool hooks',
  name: 'tool hook',
});
