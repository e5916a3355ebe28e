import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CompileBody,
  compilePluginBody,
  compilePluginResponse,
  compileSkillBody,
  compileSkillResponse,
} from '@tollgate/api/runs';
import { apiErrorSchema } from '@tollgate/api/values';
import type { CompileInputSchema } from '@tollgate/contracts/workflow/v1/compile_pb.js';
import { AppError } from '@tollgate/errors';
import { defineRoute } from '../../exchange/route.js';

/** Drafting makes several model calls of some seconds each, and downloading a repository also takes time. */
const COMPILE_TIMEOUT_MS = 300_000;

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

/** @throws AppError source_or_files_required unless exactly one of the two is given */
function compileInput(body: CompileBody): MessageInitShape<typeof CompileInputSchema> {
  const { source, files, model, max_attempts: maxAttempts } = body;
  const rest = { model: model ?? '', maxAttempts };
  if (source && !files) return { ...rest, from: { case: 'source', value: source } };
  if (files && !source) return { ...rest, from: { case: 'files', value: { contentsByPath: files } } };
  throw new AppError('source_or_files_required', 'exactly one of source and files is required');
}
