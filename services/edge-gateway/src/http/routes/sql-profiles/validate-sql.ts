import { validateSqlBody, validateSqlResponse } from '@tollgate/api/state';
import { defineRoute } from '../../exchange/route.js';

export const validateSql = defineRoute({
  method: 'POST',
  path: '/sql/validate',
  tag: 'SQL',
  summary: 'Validate a statement against a policy; 400 lists the reasons for refusal',
  operationId: 'validateSql',
  description:
    'Nothing is executed. The answer has the statement as it may be run, with the limits that the policy adds.',
  auth: ['secret_key', 'owner', 'customer'],
  body: validateSqlBody,
  success: { status: 200, schema: validateSqlResponse },
  async handler({ body, call }, ctx) {
    const by = body.policy
      ? ({ case: 'policyJson', value: JSON.stringify(body.policy) } as const)
      : ({ case: 'profileId', value: body.profile_id ?? '' } as const);
    const valid = await ctx.clients.sql.validateSql({ sql: body.sql, by }, call);
    return {
      body: {
        valid: true,
        normalized_sql: valid.normalizedSql,
        read_only: valid.readOnly,
        tables: valid.tables,
        limit: toNumber(valid.limit),
        timeout_ms: toNumber(valid.timeoutMs),
      },
    };
  },
});

function toNumber(value: bigint | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
