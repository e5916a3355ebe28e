import type { Route } from '../../exchange/route.js';
import { validateSql } from './validate-sql.js';

export const sqlRoutes: Route[] = [validateSql];
