import type { ResponsesBody } from '@tollgate/api/model-requests';
import type { WorkflowKind } from '@tollgate/api/runs';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { CompileInput } from '@tollgate/contracts/workflow/v1/compile_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Clock, Logger, Stoppable } from '@tollgate/runtime';
import { createSafeFetch } from '@tollgate/safe-fetch';
import { type CompileConfig, mayBePrivate } from './compile-config.js';
import { compileKey } from './compile-key.js';
import { type Generation, generateWorkflow, type SpecVerdict } from './generate/generate-workflow.js';
import type { PluginJobRunner } from './plugin-jobs.js';
import { createGithub } from './source/github.js';
import { createSources, type Source } from './source/sources.js';
import type { Plugin } from './tree/read-plugin.js';
import type { CompileKind } from './tree/source-tree.js';

export interface PluginCompiler extends Stoppable {
  /**
   * Returns the JSON of the public answer: the same bytes for the same input.
   *
   * @throws AppError as the contract lists them
   */
  compile(kind: CompileKind, workflowKind: WorkflowKind, input: CompileInput | undefined, call: Call): Promise<string>;
}

/** Keeps results for good, as the bytes that were returned. */
export interface CompiledResults {
  find(key: string, now: Date): Promise<string | undefined>;
  /** Returns the stored result, which may be that of another process that was faster. */
  keep(result: { key: string; projectId: string; result: string; now: Date }): Promise<string>;
}

export interface PluginCompilerOptions {
  config: CompileConfig;
  clock: Clock;
  logger: Logger;
  results: CompiledResults;
  jobs: PluginJobRunner;
  /** Makes a model call that the caller pays, and returns the answer's text. */
  ask: (request: ResponsesBody, call: Call) => Promise<string>;
  /** Checks a workflow with the engine's compiler. */
  check: (spec: object, call: Call) => Promise<SpecVerdict>;
  /** Bytes of a workflow as JSON. */
  specBytesMax: number;
}

const ATTEMPTS_MAX = 5;

type Wanted = Pick<Generation, 'kind' | 'workflowKind' | 'model' | 'maxAttempts'>;

/** Creates the compiler with its connections to GitHub. */
export function createPluginCompiler(options: PluginCompilerOptions): PluginCompiler {
  const { config, clock, logger, results, jobs, ask, check, specBytesMax } = options;
  const http = createSafeFetch();
  const { defaultModel, ...addresses } = config;
  const github = createGithub({ ...addresses, allowPrivate: mayBePrivate(config), fetch: http.fetch, clock, logger });
  const sources = createSources(github, jobs);
  const pending = new Map<string, Promise<string>>();

  async function generate({ source, call, ...wanted }: { source: Source; call: Call } & Wanted) {
    const { kind } = wanted;
    const files = await source.files();
    const plugin = files && (await jobs.run('plugin', { files, kind, fallbackName: source.fallbackName }, call));
    if (!plugin) throw source.noManifest();
    const workflow = await generateWorkflow({
      ...wanted,
      plugin,
      ask: (request) => ask(request, call),
      check: (spec) => check(spec, call),
      specBytesMax,
    });
    const now = clock.now();
    return { now, result: JSON.stringify(toAnswer(plugin, { kind, workflow, sourceRef: source.sourceRef, now })) };
  }

  /**
   * Returns the result for a key. Serialized per key, so concurrent requests for one input generate and pay for it
   * once.
   */
  async function once(key: string, produce: () => Promise<string>): Promise<string> {
    for (let other = pending.get(key); other; other = pending.get(key)) {
      await other.catch(() => undefined); // reported to its own caller
    }
    const found = results.find(key, clock.now()).then((stored) => stored ?? produce());
    const own = found.finally(() => pending.delete(key));
    pending.set(key, own);
    return own;
  }

  return {
    async compile(kind, workflowKind, input, call) {
      const principal = requireSecretKey(call);
      const { from, model: requested, maxAttempts } = requireInput(input);
      const model = modelFor(requested, principal, defaultModel);
      const source =
        from.case === 'source'
          ? await sources.fromGithub(from.value, kind, call)
          : await sources.fromFiles(from.value.contentsByPath, kind, call);
      const { projectId } = principal;
      const key = compileKey({ projectId, kind, workflowKind, content: source.content, model: model ?? '' });
      return once(key, async () => {
        const { now, result } = await generate({ source, call, kind, workflowKind, model, maxAttempts });
        return results.keep({ key, projectId, result, now });
      });
    },
    stop: () => http.close(),
  };
}

function requireInput(input: CompileInput | undefined) {
  const { from, model = '', maxAttempts = 0 } = input ?? {};
  if (from?.case === undefined) throw new AppError('source_or_files_required', 'source or files is required');
  if (maxAttempts < 1 || maxAttempts > ATTEMPTS_MAX) {
    throw new AppError('VALIDATION_ERROR', `max_attempts must be from 1 to ${ATTEMPTS_MAX}`);
  }
  return { from, model, maxAttempts };
}

function requireSecretKey(call: Call): Principal {
  const principal = call.requirePrincipal();
  if (principal.kind !== PrincipalKind.SECRET_KEY) throw new AppError('FORBIDDEN', 'only secret keys can compile');
  return principal;
}

/** Returns undefined when the customer's tier chooses the model. */
function modelFor(requested: string, principal: Principal, fallback: string | undefined): string | undefined {
  if (requested !== '') return requested;
  if (principal.customerId !== '') return undefined;
  if (fallback !== undefined) return fallback;
  const message = 'is required: there is no default model for compilations';
  throw new AppError('VALIDATION_ERROR', `model ${message}`, { fields: [{ field: 'model', message }] });
}

interface Compiled {
  kind: CompileKind;
  workflow: object;
  sourceRef: string;
  now: Date;
}

function toAnswer(plugin: Plugin, { kind, workflow, sourceRef, now }: Compiled) {
  const { name, description, agents, warnings } = plugin;
  const described =
    kind === 'plugin'
      ? agents.map((agent) => ({ name: agent.name, system_prompt: agent.systemPrompt }))
      : agents.map((agent) => agent.name);
  return {
    workflow,
    [kind]: { name, description, agents: described },
    compiled_at: now.toISOString(),
    source_ref: sourceRef,
    warnings,
  };
}
