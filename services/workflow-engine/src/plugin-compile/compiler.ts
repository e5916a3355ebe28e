import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { CompileInput } from '@tollgate/contracts/workflow/v1/compile_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Clock } from '@tollgate/runtime';
import type pg from 'pg';
import { compileKey, treeDigest } from './compile-key.js';
import { findCompiled, keepCompiled } from './compiled-results.js';
import { askModel, type ModelClients } from './generate/ask-model.js';
import { generateWorkflow } from './generate/generate-workflow.js';
import { parseFailed } from './parse-failed.js';
import { filesTree } from './source/files-tree.js';
import type { Github } from './source/github.js';
import { isCommitId, parseGithubSource } from './source/github-source.js';
import { createTreeCache, placeAt } from './source/tree-cache.js';
import { type Plugin, readPlugin } from './tree/read-plugin.js';
import type { CompileKind, SourceTree } from './tree/source-tree.js';

export interface Compiler {
  /** JSON of the public answer: the same bytes for the same input. @throws AppError as the contract lists them */
  compile(kind: CompileKind, input: CompileInput | undefined, call: Call): Promise<string>;
}

export interface CompilerOptions {
  pool: pg.Pool;
  clock: Clock;
  github: Github;
  clients: ModelClients;
  /** For requests that name no model and have no customer whose tier would; undefined = they are refused. */
  defaultModel: string | undefined;
}

const ATTEMPTS_MAX = 5;

/** What is to be compiled: where it is from, and how to get at it once nobody has the result yet. */
interface Source {
  /** Names the content for ever. */
  content: string;
  sourceRef: string;
  fallbackName: string;
  /** Undefined = nothing is there. */
  tree: () => Promise<SourceTree | undefined>;
  /** For a source without a manifest. */
  noManifest: () => AppError;
}

export function createCompiler(options: CompilerOptions): Compiler {
  const { pool, clock, github, clients } = options;
  const trees = createTreeCache(github);
  const underWay = new Map<string, Promise<string>>();

  async function githubSource(text: string, kind: CompileKind, call: Call): Promise<Source> {
    const source = parseGithubSource(text);
    if (!source) throw new AppError('invalid_source', 'source must be github:<owner>/<repo>[/<path>][@<ref>]');
    const commit = isCommitId(source.ref) ? source.ref : await github.resolveCommit(source, call);
    if (commit === undefined) throw notFound(kind);
    return {
      content: placeAt(source, commit),
      sourceRef: commit,
      fallbackName: source.path.split('/').at(-1) || source.repo,
      tree: () => trees.treeAt(source, commit, call),
      noManifest: () => notFound(kind),
    };
  }

  async function make(source: Source, kind: CompileKind, model: string | undefined, attempts: number, call: Call) {
    const tree = await source.tree();
    const plugin = tree && readPlugin(tree, kind, source.fallbackName);
    if (!plugin) throw source.noManifest();
    const ask = (request: Parameters<typeof askModel>[1]) => askModel(clients, request, call);
    const workflow = await generateWorkflow({ plugin, kind, model, maxAttempts: attempts, ask });
    const now = clock.now();
    return { now, result: JSON.stringify(answerOf(plugin, kind, workflow, source.sourceRef, now)) };
  }

  /** The result under a key. One looks and makes at a time, so that the same input at once is made, and paid for, once. */
  async function once(key: string, make: () => Promise<string>): Promise<string> {
    for (let other = underWay.get(key); other; other = underWay.get(key)) {
      await other.catch(() => undefined); // its failure is its own
    }
    const found = findCompiled(pool, key, clock.now()).then((kept) => kept ?? make());
    const mine = found.finally(() => underWay.delete(key));
    underWay.set(key, mine);
    return mine;
  }

  return {
    async compile(kind, input, call) {
      const principal = requireSecretKey(call);
      const { from, model: given = '', maxAttempts = 0 } = input ?? {};
      if (from?.case === undefined) throw new AppError('source_or_files_required', 'source or files is required');
      if (maxAttempts < 1 || maxAttempts > ATTEMPTS_MAX) {
        throw new AppError('VALIDATION_ERROR', `max_attempts must be from 1 to ${ATTEMPTS_MAX}`);
      }
      const model = modelFor(given, principal, options.defaultModel);
      const source =
        from.case === 'source'
          ? await githubSource(from.value, kind, call)
          : filesSource(filesTree(from.value.contentsByPath), kind);
      const { projectId } = principal;
      const key = compileKey({ projectId, kind, content: source.content, model: model ?? '' });
      return once(key, async () => {
        const { now, result } = await make(source, kind, model, maxAttempts, call);
        return keepCompiled(pool, { key, projectId, result, now });
      });
    },
  };
}

function requireSecretKey(call: Call): Principal {
  const principal = call.requirePrincipal();
  if (principal.kind !== PrincipalKind.SECRET_KEY) throw new AppError('FORBIDDEN', 'only secret keys can compile');
  return principal;
}

/** Undefined = whatever the customer's tier has as its default. */
function modelFor(given: string, principal: Principal, fallback: string | undefined): string | undefined {
  if (given !== '') return given;
  if (principal.customerId !== '') return undefined;
  if (fallback !== undefined) return fallback;
  const message = 'is required: there is no default model for compilations';
  throw new AppError('VALIDATION_ERROR', `model ${message}`, { fields: [{ field: 'model', message }] });
}

function filesSource(tree: SourceTree, kind: CompileKind): Source {
  return {
    content: `files:${treeDigest(tree)}`,
    sourceRef: 'inline',
    fallbackName: kind,
    tree: async () => tree,
    noManifest: () =>
      parseFailed('there is no manifest: .claude-plugin/plugin.json, plugin.json, PLUGIN.md or SKILL.md'),
  };
}

function notFound(kind: CompileKind): AppError {
  return new AppError(`${kind}_not_found`, `there is no ${kind} at this source`);
}

function answerOf(plugin: Plugin, kind: CompileKind, workflow: object, sourceRef: string, now: Date) {
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
