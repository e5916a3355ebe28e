import { type Clock, createLoop, type Logger, type Stoppable, stopAll } from '@tollgate/runtime';
import { createSafeFetch } from '@tollgate/safe-fetch';
import type { CompileThread } from '../clients/compile-thread.js';
import { deleteUnusedCompiled } from '../store/compiled-results.js';
import type { Pool } from '../store/database.js';
import { type CompileConfig, mayBePrivate } from './compile-config.js';
import { type Compiler, createCompiler } from './compiler.js';
import type { ModelClients } from './generate/ask-model.js';
import { createGithub } from './source/github.js';

const PURGE_INTERVAL_MS = 60 * 60_000;
export const KEPT_UNUSED_MS = 90 * 24 * 60 * 60_000;
const ROWS_PER_PASS = 500;

export interface CompilerParts {
  config: CompileConfig;
  pool: Pool;
  clock: Clock;
  logger: Logger;
  clients: ModelClients;
  thread: CompileThread;
}

/** Starts the compiler with its connections, and the loop that deletes unused results. */
export function startCompiler({ config, pool, clock, logger, clients, thread }: CompilerParts): Compiler & Stoppable {
  const http = createSafeFetch();
  const { defaultModel, ...addresses } = config;
  const github = createGithub({ ...addresses, allowPrivate: mayBePrivate(config), fetch: http.fetch, clock, logger });
  const purge = createLoop({
    name: 'compiled.purge',
    intervalMs: PURGE_INTERVAL_MS,
    logger,
    run: async () => {
      const since = new Date(clock.nowMs() - KEPT_UNUSED_MS);
      return (await deleteUnusedCompiled(pool, since, ROWS_PER_PASS)) === ROWS_PER_PASS;
    },
  });
  const connections = { stop: () => http.close() };
  const { compile } = createCompiler({ pool, clock, github, clients, thread, defaultModel });
  return { compile, stop: () => stopAll(connections, purge) };
}
