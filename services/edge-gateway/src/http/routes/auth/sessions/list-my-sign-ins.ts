import { type SignInRecord, signInListQuery, signInListResponse } from '@tollgate/api/identity';
import { toCursor } from '../../../../domain/reports/list-cursor.js';
import { type ListSignInsRow, listSignIns } from '../../../../store/gen/sessions.js';
import { defineRoute } from '../../../exchange/route.js';
import { requirePlace } from '../../require-place.js';

export const listMySignIns = defineRoute({
  method: 'GET',
  path: '/auth/sign-ins',
  tag: 'Authentication',
  summary: 'List where you are signed in, newest first',
  operationId: 'listMySignIns',
  description:
    'Every session of the user that is in force: browsers, sign-ins with a password, and programs that signed in by a code, which have a name and an address.',
  auth: ['owner'],
  query: signInListQuery,
  success: { status: 200, schema: signInListResponse },
  handler: async ({ query: { limit, cursor }, principal: { userId } }, ctx) => {
    const after = cursor === undefined ? undefined : requirePlace(cursor);
    const place = { afterAt: after?.at ?? null, afterId: after?.id ?? null };
    const found = await listSignIns(ctx.pool, { userId, at: ctx.clock.now(), ...place, limit: limit + 1 });
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const next = last && found.length > limit ? { next_cursor: toCursor({ at: last.signedInAt, id: last.id }) } : {};
    return { body: { sign_ins: shown.map(signInJson), ...next } };
  },
});

function signInJson({ id, clientName, address, signedInAt, expiresAt }: ListSignInsRow): SignInRecord {
  return {
    id,
    ...(clientName !== null && { client_name: clientName }),
    ...(address !== null && { address }),
    signed_in_at: signedInAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}
