import { compileSkillBody, compileSkillResponse } from '@tollgate/api/runs';
import { apiErrorSchema } from '@tollgate/api/values';
import { defineRoute } from '../../exchange/route.js';
import { COMPILE_TIMEOUT_MS, compileInput } from './compile-input.js';

export const compileSkill = defineRoute({
  method: 'POST',
  path: '/skills/compile',
  tag: 'Compile',
  summary: 'Compile a skill into a workflow.v1 spec',
  operationId: 'compileSkill',
  description: 'A model reads the skill’s files and writes the spec; its tokens are charged.',
  auth: ['secret_key'],
  body: compileSkillBody,
  bodyClass: 'documents',
  success: { status: 200, schema: compileSkillResponse },
  alsoAnswers: [{ status: 429, schema: apiErrorSchema }], // GitHub's limit, not ours
  refusals: [422],
  idempotent: true,
  timeoutMs: COMPILE_TIMEOUT_MS,
  async handler({ body, call }, ctx) {
    const { resultJson } = await ctx.clients.compile.compileSkill({ input: compileInput(body) }, call);
    // Verbatim: the same bytes for the same input.
    return { body: resultJson };
  },
});
