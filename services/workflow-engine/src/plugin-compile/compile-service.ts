import { CompileService } from '@tollgate/contracts/workflow/v1/compile_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Compiler } from './compiler.js';

export function compileService(compiler: Compiler): Registration {
  return register(CompileService, {
    compilePlugin: async ({ input }, call) => ({
      resultJson: Buffer.from(await compiler.compile('plugin', input, call)),
    }),
    compileSkill: async ({ input }, call) => ({
      resultJson: Buffer.from(await compiler.compile('skill', input, call)),
    }),
  });
}
