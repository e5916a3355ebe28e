import { endpoints } from '../../server/endpoints.js';
import {
  createConnection,
  deleteConnection,
  getConnection,
  listConnections,
  testConnection,
  updateConnection,
} from './connections.js';

export const connectionRouter = endpoints(
  listConnections,
  createConnection,
  getConnection,
  updateConnection,
  deleteConnection,
  testConnection,
);
