import { WORKFLOW_KINDS, type WorkflowKind } from '@tollgate/api/runs';
import { CompileService } from '@tollgate/contracts/workflow/v1/compile_pb.js';
import { AppError } from '@tollgate/errors';
import type { PluginCompiler } from '@tollgate/plugin-compiler';
import { type Registration, register } from '@tollgate/rpc';

export function compileService(compiler: Pick<PluginCompiler, 'compile'>): Registration {
  return register(CompileService, {
    compilePlugin: async ({ input, workflowKind }, call) => ({
      resultJson: Buffer.from(
        await compiler.compile('plugin', requireKind(workflowKind || 'workflow.v0'), input, call),
      ),
    }),
    compileSkill: async ({ input }, call) => ({
      resultJson: Buffer.from(await compiler.compile('skill', 'workflow.v1', input, call)),
    }),
  });
}

function requireKind(text: string): WorkflowKind {
  const kind = WORKFLOW_KINDS.find((known) => known === text);
  if (!kind) throw new AppError('VALIDATION_ERROR', `workflow_kind must be one of ${WORKFLOW_KINDS.join(', ')}`);
  return kind;
}
