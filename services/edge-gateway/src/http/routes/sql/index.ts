import type { Route } from '../../route.js';
import { validateSql } from './validate-sql.js';

export const sqlRoutes: Route[] = [validateSql];
