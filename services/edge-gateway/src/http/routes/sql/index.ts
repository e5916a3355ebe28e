import { endpoints } from '../../server/endpoints.js';
import { validateSql } from './validate-sql.js';

export const sqlRouter = endpoints(validateSql);
