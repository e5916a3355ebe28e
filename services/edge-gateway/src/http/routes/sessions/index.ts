import { endpoints } from '../../server/endpoints.js';
import {
  appendSessionMessage,
  clearSession,
  createSession,
  deleteSession,
  getSession,
  listSessions,
  updateSession,
} from './sessions.js';

export const sessionRouter = endpoints(
  createSession,
  listSessions,
  getSession,
  updateSession,
  deleteSession,
  appendSessionMessage,
  clearSession,
);
