import { sessionSchema, updateSessionBody } from '@tollgate/api/state';
import { readMember } from '../../../domain/json-members.js';
import { defineRoute } from '../../exchange/route.js';
import { sessionParams } from './params.js';
import { sessionJson } from './render.js';

export const updateSession = defineRoute({
  method: 'PATCH',
  path: '/sessions/:id',
  tag: 'Sessions',
  summary: 'Merge metadata into a session; null removes a key',
  operationId: 'updateSession',
  description: 'Members that are not named keep their values.',
  auth: ['secret_key', 'owner', 'customer'],
  params: sessionParams,
  body: updateSessionBody,
  bodyClass: 'documents',
  success: { status: 200, schema: sessionSchema },
  async handler({ params, rawBody, call }, ctx) {
    const request = { id: params.id, metadataJson: readMember(rawBody, 'metadata') };
    const { session } = await ctx.clients.sessions.updateSession(request, call);
    return { body: sessionJson(session) };
  },
});
