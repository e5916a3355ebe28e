import { createPluginCompiler, type PluginCompiler } from '@tollgate/plugin-compiler';
import { type Clock, createLoop, type Logger, stopAll } from '@tollgate/runtime';
import { askModel, type ModelClients } from './clients/ask-model.js';
import type { CompileThread } from './clients/compile-thread.js';
import type { Config } from './config.js';
import { NO_AGENTS } from './domain/compile/nodes/agent-config.js';
import { limits } from './domain/limits.js';
import { compileLargeSpec } from './operations/runs/compile-spec.js';
import { deleteUnusedCompiled, findCompiled, keepCompiled } from './store/compiled-results.js';
import type { Pool } from './store/database.js';

const PURGE_INTERVAL_MS = 60 * 60_000;
export const KEPT_UNUSED_MS = 90 * 24 * 60 * 60_000;
const ROWS_PER_PASS = 500;

export interface CompilerParts {
  config: Config['compile'];
  pool: Pool;
  clock: Clock;
  logger: Logger;
  clients: ModelClients;
  thread: CompileThread;
}

/** Starts the compiler of plugins and skills on this service's parts, and the loop that deletes unused results. */
export function startCompiler({ config, pool, clock, logger, clients, thread }: CompilerParts): PluginCompiler {
  const compiler = createPluginCompiler({
    config,
    clock,
    logger,
    results: {
      find: (key, now) => findCompiled(pool, key, now),
      keep: (result) => keepCompiled(pool, result),
    },
    jobs: thread,
    ask: (request, call) => askModel(clients, request, call),
    check: (spec, call) => compileLargeSpec(thread, { value: spec }, NO_AGENTS, call),
    specBytesMax: limits.specBytes,
  });
  const purge = createLoop({
    name: 'compiled.purge',
    intervalMs: PURGE_INTERVAL_MS,
    logger,
    run: async () => {
      const since = new Date(clock.nowMs() - KEPT_UNUSED_MS);
      return (await deleteUnusedCompiled(pool, since, ROWS_PER_PASS)) === ROWS_PER_PASS;
    },
  });
  return { compile: compiler.compile, stop: () => stopAll(compiler, purge) };
}
