import { endpoints } from '../../server/endpoints.js';
import { createConnection } from './create-connection.js';
import { deleteConnection } from './delete-connection.js';
import { getConnection } from './get-connection.js';
import { listConnections } from './list-connections.js';
import { testConnection } from './test-connection.js';
import { updateConnection } from './update-connection.js';

export const connectionRouter = endpoints(
  listConnections,
  createConnection,
  getConnection,
  updateConnection,
  deleteConnection,
  testConnection,
);
