import type { Route } from '../../exchange/route.js';
import { getStatement } from './get-statement.js';
import { listStatements } from './list-statements.js';

export const statementRoutes: Route[] = [listStatements, getStatement];
