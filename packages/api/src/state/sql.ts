import { z } from 'zod';
import { pageQuery } from '../values/paging.js';
import { storableText } from '../values/text.js';

/** Bounds of SQL profiles and statements. */
export const sqlLimits = {
  nameLength: 255,
  /** Characters of one statement. */
  sqlLength: 65_536,
  namesPerList: 1_000,
  joins: 1_000,
  rows: 1_000_000_000,
  timeoutMs: 3_600_000,
} as const;

/** Databases whose SQL dialect is supported. */
export const sqlDialects = ['sqlite', 'postgres', 'mysql', 'sqlserver'] as const;

/** Parts between dots, each in the quotes of some dialect or without any, and none empty: `a..b` would hide nothing. */
const PART = '(?:"(?:[^"]|"")+"|`[^`]+`|\\[[^\\]]+\\]|\\s*[^."`[\\]\\s][^."`[\\]]*)';
const WHOLE_PARTS = new RegExp(`^${PART}(?:\\.${PART})*$`);

/** `*` may only be the whole last part: elsewhere it would match nothing, and a denied name would be allowed. */
const name = storableText(512)
  .trim()
  .min(1)
  .regex(/^(?:[^*]*|(?:[^*]*\.)?\*)$/, 'may have "*" as its whole last part only')
  .refine((text) => WHOLE_PARTS.test(text), 'has an empty part, or quotes inside a part');
const names = z.array(name).max(sqlLimits.namesPerList).nullish();
const whole = (min: number, max: number) => z.int().min(min).max(max).nullish();

/** Permissions of statements. An absent member restricts nothing; `tables`, `columns` and `functions` restrict by name. */
export const sqlPolicySchema = z
  .object({
    dialect: z.enum(sqlDialects),
    /** False also allows INSERT, UPDATE and DELETE, and nothing else. */
    read_only: z.boolean(),
    tables: z
      .object({
        /**
         * `table`, `schema.table`, `database.schema.table` or `schema.*`. Empty = no table; absent = every table but the
         * database's own, which have to be named.
         */
        allowlist: names,
        /** Takes precedence over the allowlist. */
        denylist: names,
      })
      .nullish(),
    columns: z
      .object({
        /** `column` (of every table), `table.column`, `schema.table.column` or `table.*`. */
        hidden: names,
      })
      .nullish(),
    joins: z.object({ max_joins: whole(0, sqlLimits.joins) }).nullish(),
    subqueries: z.object({ allowed: z.boolean().nullish() }).nullish(),
    functions: z
      .object({
        /** Functions allowed in addition to the built-in ones that only compute: `name` or `schema.name`. */
        allowlist: names,
      })
      .nullish(),
    limits: z
      .object({
        /** Rows of a query that names no limit. */
        default_limit: whole(1, sqlLimits.rows),
        /** Rows of any query; a greater limit is lowered to it. */
        max_limit: whole(1, sqlLimits.rows),
        timeout_ms: whole(1, sqlLimits.timeoutMs),
      })
      .nullish(),
  })
  .superRefine(({ limits }, context) => {
    const { default_limit: usual, max_limit: most } = limits ?? {};
    if (usual == null || most == null || usual <= most) return;
    context.addIssue({ code: 'custom', path: ['limits', 'default_limit'], message: 'must not be above max_limit' });
  });

export type SqlDialect = (typeof sqlDialects)[number];
export type SqlPolicy = z.output<typeof sqlPolicySchema>;

const profileName = storableText(sqlLimits.nameLength).trim().min(1);

/** `POST /projects/{id}/sql-profiles` */
export const createSqlProfileBody = z.object({ name: profileName, policy: sqlPolicySchema });

/** `PUT /projects/{id}/sql-profiles/{profile_id}`: absent fields keep their values; a policy is replaced as a whole. */
export const updateSqlProfileBody = z.object({ name: profileName.optional(), policy: sqlPolicySchema.optional() });

export const listSqlProfilesQuery = pageQuery(50, 200);

/** Answer record of a profile. */
export const sqlProfileSchema = z.object({
  id: z.guid(),
  project_id: z.guid(),
  name: z.string(),
  policy: sqlPolicySchema,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export const sqlProfileResponse = z.object({ profile: sqlProfileSchema });
export const listSqlProfilesResponse = z.object({
  profiles: z.array(sqlProfileSchema),
  next_cursor: z.string().optional(),
});

/** `POST /sql/validate`: by a profile of the project or by a policy. */
export const validateSqlBody = z
  .object({
    sql: z.string().min(1).max(sqlLimits.sqlLength),
    profile_id: z.guid().optional(),
    policy: sqlPolicySchema.optional(),
  })
  .superRefine((body, context) => {
    if ((body.profile_id === undefined) !== (body.policy === undefined)) return;
    context.addIssue({ code: 'custom', path: ['profile_id'], message: 'needs exactly one of profile_id and policy' });
  });

/** Answer to a statement that may be run. */
export const validateSqlResponse = z.object({
  valid: z.literal(true),
  /** The statement as parsed, with the row limit applied. Run this text, not the submitted one. */
  normalized_sql: z.string(),
  read_only: z.boolean(),
  tables: z.array(z.string()),
  /** Maximum number of rows; absent without a bound. */
  limit: z.int().optional(),
  timeout_ms: z.int().optional(),
});
