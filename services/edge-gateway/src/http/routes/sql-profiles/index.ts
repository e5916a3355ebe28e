import { endpoints } from '../../server/endpoints.js';
import {
  createSqlProfile,
  deleteSqlProfile,
  getSqlProfile,
  listSqlProfiles,
  updateSqlProfile,
  validateSql,
} from './sql-profiles.js';

export const sqlProfileRouter = endpoints(
  createSqlProfile,
  listSqlProfiles,
  getSqlProfile,
  updateSqlProfile,
  deleteSqlProfile,
  validateSql,
);
