import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { elapsed } from '@tollgate/runtime';
import { readLocalConfig } from './config.js';
import { findUnreachable } from './find-unreachable.js';
import { startLocalStack } from './local-stack.js';
import { parseOptions } from './options.js';
import { summary } from './summary.js';

const HELP = new URL('../help.txt', import.meta.url);
const startedAt = elapsed();
const say = (line: string): void =>
  console.error(`[${((elapsed() - startedAt) / 1000).toFixed(1).padStart(5)} s] ${line}`);

try {
  const config = readLocalConfig();
  const options = parseOptions(process.argv.slice(2), config);
  if (!options) console.log(readFileSync(HELP, 'utf8').trimEnd());
  else {
    const starting = startLocalStack(options, config, say);
    stopOnSignal(starting);
    const { file, home } = await starting;
    console.log(summary(file, relative(process.cwd(), home), options.isSeparate));
    const health = file.services['edge-gateway']?.health;
    const unreachable = health === undefined ? [] : await findUnreachable(health, config.variables);
    for (const line of unreachable) say(`Warning: ${line}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

function stopOnSignal(starting: ReturnType<typeof startLocalStack>): void {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, async () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      say('Stopping');
      const stack = await starting.catch(() => undefined);
      await stack?.stop();
      say('Stopped');
      process.exit(0);
    });
  }
}
