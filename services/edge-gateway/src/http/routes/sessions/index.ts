import { endpoints } from '../../server/endpoints.js';
import { appendSessionMessage } from './append-session-message.js';
import { clearSession } from './clear-session.js';
import { createSession } from './create-session.js';
import { deleteSession } from './delete-session.js';
import { getSession } from './get-session.js';
import { listSessions } from './list-sessions.js';
import { updateSession } from './update-session.js';

export const sessionRouter = endpoints(
  createSession,
  listSessions,
  getSession,
  updateSession,
  deleteSession,
  appendSessionMessage,
  clearSession,
);
