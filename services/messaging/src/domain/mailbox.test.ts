import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { fromMailboxCursor, toMailboxCursor } from './mailbox.js';

const projectId = randomUUID();

it.each([`run:${randomUUID()}`, `agent:helper@${projectId}`, `agent:${'a'.repeat(128)}@${projectId}`])(
  'reads the cursor of %s back, which is short enough for a query',
  (address) => {
    const cursor = toMailboxCursor(address);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]{1,200}$/);
    expect(fromMailboxCursor(cursor, projectId)).toBe(address);
  },
);

it('keeps a cursor in the project of the caller', () => {
  const other = randomUUID();
  expect(fromMailboxCursor(toMailboxCursor(`agent:helper@${projectId}`), other)).toBe(`agent:helper@${other}`);
});

it.each(['2', 'AAAA', Buffer.from('agent:a@b').toString('base64url'), Buffer.from('topic:a').toString('base64url')])(
  'rejects %s, which is no cursor',
  (cursor) => {
    expect(fromMailboxCursor(cursor, projectId)).toBeUndefined();
  },
);
