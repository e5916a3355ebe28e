import type { Metrics } from '@tollgate/metrics';
import { LATE, within } from '@tollgate/runtime';

/** Whether a dependency answers; undefined while that is not known. */
export type IsUp = () => boolean | undefined | Promise<boolean | undefined>;

/** A dependency that takes longer is down. Long enough for a new connection on a busy machine. */
const ANSWER_MS = 5_000;

/** Adds `tollgate_dependency_up`. Failed and late checks are 0, and no check starts while an earlier one runs. */
export function observeDependencies(
  metrics: Metrics,
  dependencies: ReadonlyMap<string, IsUp>,
  { answerMs = ANSWER_MS } = {},
): void {
  const checking = new Set<string>();

  async function check(dependency: string, isUp: IsUp): Promise<boolean | undefined> {
    if (checking.has(dependency)) return false;
    checking.add(dependency);
    try {
      return await isUp();
    } catch {
      return false;
    } finally {
      checking.delete(dependency);
    }
  }

  metrics.observe({
    series: {
      up: {
        name: 'tollgate_dependency_up',
        help: '1 while the dependency answers.',
        labels: ['dependency'],
      },
    },
    timeoutMs: answerMs + 1_000,
    async read() {
      const values = await Promise.all(
        [...dependencies].map(async ([dependency, isUp]) => {
          const answer = await within(check(dependency, isUp), answerMs);
          return { labels: { dependency }, value: toValue(answer === LATE ? false : answer) };
        }),
      );
      return {
        up: values.filter(({ value }) => value !== undefined) as { labels: { dependency: string }; value: number }[],
      };
    },
  });
}

function toValue(isUp: boolean | undefined): number | undefined {
  return isUp === undefined ? undefined : Number(isUp);
}
