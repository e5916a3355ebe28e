import { type SqlPolicy, sqlPolicySchema } from '@tollgate/api/state';
import { isAppError } from '@tollgate/errors';
import { loadSqlParser } from '../clients/sql-parser.js';
import { type ValidSql, validateSql } from '../operations/sql/validate-sql.js';

export interface SqlValidation {
  /** Validates a statement of PostgreSQL that may only read, unless `rules` say otherwise. */
  valid(sql: string, rules?: object): Promise<ValidSql>;
  /** Returns the reasons of a refusal; throws when the statement is accepted. */
  refusal(sql: string, rules?: object): Promise<string>;
}

/** Checks statements in this thread. */
export function startSqlValidation(): SqlValidation {
  const parser = loadSqlParser();
  const policy = (rules: object): SqlPolicy =>
    sqlPolicySchema.parse({ dialect: 'postgres', read_only: true, ...rules });
  const valid = async (sql: string, rules: object = {}) => validateSql(await parser, sql, policy(rules));
  return {
    valid,
    async refusal(sql, rules) {
      try {
        const { normalizedSql } = await valid(sql, rules);
        throw new Error(`accepted: ${normalizedSql}`);
      } catch (error) {
        if (isAppError(error) && error.code === 'INVALID_INPUT') return error.message;
        throw error;
      }
    },
  };
}
