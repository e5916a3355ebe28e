import { endpoints } from '../../server/endpoints.js';
import { getStatement } from './get-statement.js';
import { listStatements } from './list-statements.js';

export const statementRouter = endpoints(listStatements, getStatement);
