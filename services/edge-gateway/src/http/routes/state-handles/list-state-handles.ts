import { listStateHandlesQuery, listStateHandlesResponse } from '@tollgate/api/state';
import { customerListRoute } from '../list-route.js';
import { stateHandleJson } from './render.js';

export const listStateHandles = customerListRoute({
  path: '/state-handles',
  tag: 'State handles',
  summary: 'List state handles that have not expired, newest first',
  operationId: 'listStateHandles',
  description: 'Returns the handles of the project, or of the customer of the token.',
  query: listStateHandlesQuery,
  response: listStateHandlesResponse,
  field: 'state_handles',
  async read(page, call, { clients }) {
    const { handles, hasMore } = await clients.state.listStateHandles(page, call);
    return { rows: handles.map(stateHandleJson), hasMore };
  },
});
