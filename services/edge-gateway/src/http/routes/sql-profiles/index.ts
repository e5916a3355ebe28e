import { endpoints } from '../../server/endpoints.js';
import { createSqlProfile } from './create-sql-profile.js';
import { deleteSqlProfile } from './delete-sql-profile.js';
import { getSqlProfile } from './get-sql-profile.js';
import { listSqlProfiles } from './list-sql-profiles.js';
import { updateSqlProfile } from './update-sql-profile.js';
import { validateSql } from './validate-sql.js';

export const sqlProfileRouter = endpoints(
  createSqlProfile,
  listSqlProfiles,
  getSqlProfile,
  updateSqlProfile,
  deleteSqlProfile,
  validateSql,
);
