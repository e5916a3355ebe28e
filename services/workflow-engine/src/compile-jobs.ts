// Loaded by the thread of clients/compile-thread.ts: everything that compiles and takes longer than other requests should wait.
import { isAppError, toWire, type WireError } from '@tollgate/errors';
import { type PluginJobs, pluginJobs } from '@tollgate/plugin-compiler/jobs';
import { compileSpec } from './domain/compile/compile.js';
import type { AgentDirectory } from './domain/compile/nodes/agent-config.js';
import type { HashedPlan } from './domain/plan/plan.js';
import { parseJson } from './domain/values/json.js';

/** Each kind of job with its input and its result. */
export interface CompileJobs extends PluginJobs {
  /** Compiles the JSON of a spec. The plan is returned as text, which is copied faster than its values. */
  spec: {
    input: { json: string; agents: AgentDirectory };
    result: ({ ok: true } & Omit<HashedPlan, 'plan'>) | Extract<ReturnType<typeof compileSpec>, { ok: false }>;
  };
}

export type CompileJob = {
  [Kind in keyof CompileJobs]: { kind: Kind; input: CompileJobs[Kind]['input'] };
}[keyof CompileJobs];

/** `refusal`: the contract error that the job has thrown. */
export type CompileOutcome = { result: unknown } | { refusal: WireError };

const jobs: {
  [Kind in keyof CompileJobs]: (input: CompileJobs[Kind]['input']) => Promise<CompileJobs[Kind]['result']>;
} = {
  async spec({ json, agents }) {
    const compiled = compileSpec(parseJson(json), agents);
    if (!compiled.ok) return compiled;
    const { text, hash } = compiled;
    return { ok: true, text, hash };
  },
  ...pluginJobs,
};

export async function run({ kind, input }: CompileJob): Promise<CompileOutcome> {
  try {
    return { result: await jobs[kind](input as never) };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { refusal: toWire(error) };
  }
}
