import type { WorkflowKind } from '@tollgate/api/runs';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { CompileInput } from '@tollgate/contracts/workflow/v1/compile_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Clock } from '@tollgate/runtime';
import type { CompileThread } from '../clients/compile-thread.js';
import type { TreeSource } from '../compile-jobs.js';
import { NO_AGENTS } from '../domain/compile/nodes/agent-config.js';
import { compileLargeSpec } from '../operations/runs/compile-spec.js';
import { findCompiled, keepCompiled } from '../store/compiled-results.js';
import type { Pool } from '../store/database.js';
import { compileKey } from './compile-key.js';
import { askModel, type ModelClients } from './generate/ask-model.js';
import { type Generation, generateWorkflow } from './generate/generate-workflow.js';
import { parseFailed } from './parse-failed.js';
import type { Github } from './source/github.js';
import { isCommitId, parseGithubSource } from './source/github-source.js';
import { contentAt, createTreeCache } from './source/tree-cache.js';
import type { Plugin } from './tree/read-plugin.js';
import type { CompileKind } from './tree/source-tree.js';

export interface Compiler {
  /**
   * Returns the JSON of the public answer: the same bytes for the same input.
   *
   * @throws AppError as the contract lists them
   */
  compile(kind: CompileKind, workflowKind: WorkflowKind, input: CompileInput | undefined, call: Call): Promise<string>;
}

export interface CompilerOptions {
  pool: Pool;
  clock: Clock;
  github: Github;
  clients: ModelClients;
  thread: Pick<CompileThread, 'run'>;
  /** The model of requests without a model and without a customer. Undefined: they are rejected. */
  defaultModel: string | undefined;
}

const ATTEMPTS_MAX = 5;

/** A source to compile. Its files are fetched only when no result is stored. */
interface Source {
  /** Identifies the content permanently. */
  content: string;
  sourceRef: string;
  fallbackName: string;
  /** Returns undefined when the source does not exist. */
  files: () => Promise<TreeSource | undefined>;
  /** The error for a source without a manifest. */
  noManifest: () => AppError;
}

type Wanted = Pick<Generation, 'kind' | 'workflowKind' | 'model' | 'maxAttempts'>;

export function createCompiler(options: CompilerOptions): Compiler {
  const { pool, clock, github, clients, thread } = options;
  const trees = createTreeCache(github);
  const pending = new Map<string, Promise<string>>();

  async function githubSource(text: string, kind: CompileKind, call: Call): Promise<Source> {
    const source = parseGithubSource(text);
    if (!source) throw new AppError('invalid_source', 'source must be github:<owner>/<repo>[/<path>][@<ref>]');
    const commit = isCommitId(source.ref) ? source.ref : await github.resolveCommit(source, call);
    if (commit === undefined) throw notFound(kind);
    return {
      content: contentAt(source, commit),
      sourceRef: commit,
      fallbackName: source.path.split('/').at(-1) || source.repo,
      files: () => trees.treeAt(source, commit, call),
      noManifest: () => notFound(kind),
    };
  }

  async function filesSource(files: Record<string, string>, kind: CompileKind, call: Call): Promise<Source> {
    return {
      content: `files:${await thread.run('digest', { files }, call)}`,
      sourceRef: 'inline',
      fallbackName: kind,
      files: async () => files,
      noManifest: () =>
        parseFailed('there is no manifest: .claude-plugin/plugin.json, plugin.json, PLUGIN.md or SKILL.md'),
    };
  }

  async function generate({ source, call, ...wanted }: { source: Source; call: Call } & Wanted) {
    const { kind } = wanted;
    const files = await source.files();
    const plugin = files && (await thread.run('plugin', { files, kind, fallbackName: source.fallbackName }, call));
    if (!plugin) throw source.noManifest();
    const ask = (request: Parameters<typeof askModel>[1]) => askModel(clients, request, call);
    const compile = (spec: object) => compileLargeSpec(thread, { value: spec }, NO_AGENTS, call);
    const workflow = await generateWorkflow({ ...wanted, plugin, ask, compile });
    const now = clock.now();
    return { now, result: JSON.stringify(toAnswer(plugin, kind, workflow, source.sourceRef, now)) };
  }

  /**
   * Returns the result for a key. Serialized per key, so concurrent requests for one input generate and pay for it
   * once.
   */
  async function once(key: string, produce: () => Promise<string>): Promise<string> {
    for (let other = pending.get(key); other; other = pending.get(key)) {
      await other.catch(() => undefined); // reported to its own caller
    }
    const found = findCompiled(pool, key, clock.now()).then((stored) => stored ?? produce());
    const own = found.finally(() => pending.delete(key));
    pending.set(key, own);
    return own;
  }

  return {
    async compile(kind, workflowKind, input, call) {
      const principal = requireSecretKey(call);
      const { from, model: requested, maxAttempts } = requireInput(input);
      const model = modelFor(requested, principal, options.defaultModel);
      const source =
        from.case === 'source'
          ? await githubSource(from.value, kind, call)
          : await filesSource(from.value.contentsByPath, kind, call);
      const { projectId } = principal;
      const key = compileKey({ projectId, kind, workflowKind, content: source.content, model: model ?? '' });
      return once(key, async () => {
        const { now, result } = await generate({ source, call, kind, workflowKind, model, maxAttempts });
        return keepCompiled(pool, { key, projectId, result, now });
      });
    },
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

function notFound(kind: CompileKind): AppError {
  return new AppError(`${kind}_not_found`, `there is no ${kind} at this source`);
}

function toAnswer(plugin: Plugin, kind: CompileKind, workflow: object, sourceRef: string, now: Date) {
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
