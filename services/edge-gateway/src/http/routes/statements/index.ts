import { endpoints } from '../../server/endpoints.js';
import { getStatement, listStatements } from './statements.js';

export const statementRouter = endpoints(listStatements, getStatement);
