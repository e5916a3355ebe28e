import { waitUntil } from '@tollgate/testkit';
import { conditions } from './conditions/index.js';
import type { Stage } from './stage.js';

const FIRES_WITHIN_MS = 120_000;
const RESOLVES_WITHIN_MS = 120_000;

export interface Exercised {
  summary: string;
  firedAfterMs: number;
  resolvedAfterMs: number;
}

/** Causes an alert, waits until it fires, follows its runbook, and waits until it is resolved. */
export async function exercise(stage: Stage, name: string): Promise<Exercised> {
  const condition = conditions[name];
  if (!condition) throw new Error(`no condition for ${name}; known: ${Object.keys(conditions).join(', ')}`);
  const [alertname, severity] = name.split(' ');
  const firing = async () =>
    (await stage.prometheus.alerts()).find(
      ({ state, labels }) =>
        state === 'firing' && labels.alertname === alertname && (!severity || labels.severity === severity),
    );
  await waitUntil(async () => !(await firing()), {
    what: `${name} to be quiet at first`,
    timeoutMs: RESOLVES_WITHIN_MS,
  });
  const causedAt = performance.now();
  const remedy = await condition.cause(stage);
  const alert = await waitUntil(firing, { what: `${name} to fire`, timeoutMs: FIRES_WITHIN_MS }).catch(
    async (error) => {
      await remedy().catch(() => undefined); // the remedy of an alert that did not fire may fail
      throw error;
    },
  );
  const firedAt = performance.now();
  await remedy();
  await waitUntil(async () => !(await firing()), { what: `${name} to resolve`, timeoutMs: RESOLVES_WITHIN_MS });
  return {
    summary: alert.annotations.summary ?? '',
    firedAfterMs: firedAt - causedAt,
    resolvedAfterMs: performance.now() - firedAt,
  };
}
