// Three alerts in a real system under a real Prometheus. `npm run exercise` runs all of them.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emptyDatabase } from '@tollgate/postgres';
import { alerts } from '../deploy/monitoring/expressions.js';
import { conditions } from './conditions/index.js';
import { exercise } from './exercise.js';
import { prometheusProgram } from './program.config.js';
import { openStage, type Stage } from './stage.js';

/** Fast, and independent of how much CPU the load gets. */
const IN_EVERY_RUN = ['TollgateLedgerVerifyDifferences', 'TollgateDeadLetters', 'TollgateServiceMissing'];
const EXERCISE_MS = 600_000;

it('has a condition for every alert', () => {
  const names = alerts.map(({ alert = '', labels }) => {
    const isOne = alerts.filter((other) => other.alert === alert).length === 1;
    return isOne ? alert : `${alert} ${labels?.severity}`;
  });
  expect(Object.keys(conditions).toSorted()).toEqual(names.toSorted());
});

if (prometheusProgram) {
  describe('a real Prometheus', () => {
    let stage: Stage;
    let database: Awaited<ReturnType<typeof emptyDatabase>>;
    beforeAll(async () => {
      database = await emptyDatabase('exercise');
      stage = await openStage(database.url, prometheusProgram ?? '');
    }, EXERCISE_MS);
    afterAll(async () => {
      await stage?.stop();
      await database?.drop();
    }, EXERCISE_MS);

    it.each(IN_EVERY_RUN)(
      'fires %s on its cause, and resolves it after the steps of its runbook',
      async (name) => {
        await expect(exercise(stage, name)).resolves.toMatchObject({ summary: expect.any(String) });
      },
      EXERCISE_MS,
    );
  });
} else {
  it('skips the exercises without PROMETHEUS, but fails in CI', () => {
    console.info('No alert exercised: PROMETHEUS is not set');
    expect(process.env.CI).toBeFalsy();
  });
}
