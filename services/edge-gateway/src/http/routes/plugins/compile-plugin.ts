import { compilePluginBody, compilePluginResponse } from '@tollgate/api/runs';
import { apiErrorSchema } from '@tollgate/api/values';
import { defineRoute } from '../../exchange/route.js';
import { COMPILE_TIMEOUT_MS, compileInput } from './compile-input.js';

export const compilePlugin = defineRoute({
  method: 'POST',
  path: '/plugins/compile',
  tag: 'Compile',
  summary: 'Compile a plugin into a workflow spec',
  operationId: 'compilePlugin',
  description:
    'A model reads the plugin’s files and writes the spec; its tokens are charged. With `workflow_kind: workflow.v1` ' +
    'the spec has the input `task`: the user’s task, which `POST /runs` takes as `input: {task}`.',
  auth: ['secret_key'],
  body: compilePluginBody,
  bodyClass: 'documents',
  success: { status: 200, schema: compilePluginResponse },
  alsoAnswers: [{ status: 429, schema: apiErrorSchema }], // GitHub's limit, not ours
  refusals: [422],
  idempotent: true,
  timeoutMs: COMPILE_TIMEOUT_MS,
  async handler({ body, call }, ctx) {
    const { resultJson } = await ctx.clients.compile.compilePlugin(
      { input: compileInput(body), workflowKind: body.workflow_kind },
      call,
    );
    // Verbatim: the same bytes for the same input.
    return { body: resultJson };
  },
});
