import { compilePluginBody, compilePluginResponse } from '@tollgate/api/runs';
import { apiErrorSchema } from '@tollgate/api/values';
import { defineRoute } from '../../exchange/route.js';
import { COMPILE_TIMEOUT_MS, compileInput } from './compile-input.js';

export const compilePlugin = defineRoute({
  method: 'POST',
  path: '/plugins/compile',
  tag: 'Compile',
  summary: 'Compile a plugin into a workflow.v0 spec',
  operationId: 'compilePlugin',
  description: 'A model reads the plugin’s files and writes the spec; its tokens are charged.',
  auth: ['secret_key'],
  body: compilePluginBody,
  bodyClass: 'documents',
  success: { status: 200, schema: compilePluginResponse },
  alsoAnswers: [{ status: 429, schema: apiErrorSchema }], // GitHub's limit, not ours
  refusals: [422],
  idempotent: true,
  timeoutMs: COMPILE_TIMEOUT_MS,
  async handler({ body, call }, ctx) {
    const { resultJson } = await ctx.clients.compile.compilePlugin({ input: compileInput(body) }, call);
    // Verbatim: the same bytes for the same input.
    return { body: resultJson };
  },
});
