// `npm run exercise -- [ALERT …]`: causes alerts in a real system that a real Prometheus (PROMETHEUS) watches, and follows
// their runbooks. Without names: all alerts and all panels. With `--panels`: the panels only.
import { setTimeout as sleep } from 'node:timers/promises';
import { onDurableDatabase } from '../load/servers.js';
import { conditions } from './conditions/index.js';
import { exercise } from './exercise.js';
import { emptyPanels } from './panels.js';
import { prometheusProgram } from './program.config.js';
import { openStage } from './stage.js';

/** Time until every kind of traffic has data for the panels. */
const FILL_MS = 30_000;
/** The same as the local stack's. */
const CONNECTIONS_MAX = 200;

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isPanelsOnly = process.argv.includes('--panels');
const names = isPanelsOnly ? [] : Object.keys(conditions).filter((name) => isWanted(name));
if (!prometheusProgram) throw new Error('PROMETHEUS: expected the path of a Prometheus server');
const program = prometheusProgram;

await onDurableDatabase(async (url) => {
  const stage = await openStage(url, program);
  let failures = 0;
  try {
    for (const name of names) {
      try {
        const { summary, firedAfterMs, resolvedAfterMs } = await exercise(stage, name);
        console.log(
          `${name}: fired after ${seconds(firedAfterMs)}, resolved ${seconds(resolvedAfterMs)} later: ${summary}`,
        );
      } catch (error) {
        failures += 1;
        console.log(`${name}: FAILED: ${(error as Error).message}`);
      }
    }
    if (wanted.length === 0) {
      await sleep(FILL_MS);
      for (const panel of await emptyPanels(stage.prometheus)) console.log(`empty: ${panel}`);
    }
  } finally {
    await stage.stop();
  }
  process.exitCode = failures > 0 ? 1 : 0;
}, CONNECTIONS_MAX);
process.exit();

function isWanted(name: string): boolean {
  return wanted.length === 0 || wanted.some((each) => name === each || name.startsWith(`${each} `));
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}
