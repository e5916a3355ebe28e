// Orders the test files for workers that share two cores: slow files start first, and one worker takes those that mostly
// wait (for leases, time limits, paused processes) while the others compute. Jest itself orders the files of a fresh clone
// by size, so that two suites of a minute may come last. The seconds need not be exact: they only set the order.
import TestSequencer from '@jest/test-sequencer';

/** Seconds of files that mostly wait. */
const WAITING = {
  'tests/chaos/pause': 185,
  'tests/chaos/clock-steps': 200,
  'tests/chaos/fairness/fairness': 90,
  'tests/chaos/run-pause': 70,
  'tests/chaos/kill': 45,
  'tests/chaos/engine-chaos': 60,
  'tests/chaos/payment-kill': 40,
  'tests/chaos/background-kill': 75,
  'tests/chaos/batch-kill': 45,
  'tests/chaos/webhook-kill': 30,
  'tests/chaos/database/failover': 120,
  'tests/chaos/database/postgres-restart': 18,
  'tests/chaos/ledger-redis': 12,
  'tests/chaos/rate-limit-redis': 35,
  'tests/e2e/kafka-settings': 20,
};

/** Seconds of files that need parts from outside, or the history; .ci/run has them all. */
const IN_CI = {
  'tests/console/console-members': 40,
  'tests/console/console-money': 30,
  'tests/console/console-screens': 100,
  'tests/console/console-session': 30,
  'tests/console/newcomer': 60,
  'tests/clients/clients': 240,
  'tests/clients/coding-agents': 140,
  'tests/clients/matrix/libraries': 220,
  'tests/clients/openai-audio': 20,
  'tests/clients/python-client': 30,
  'tests/contract/schemathesis': 140,
  'tests/deploy/containers/compose': 90,
  'tests/deploy/containers/images': 30,
  'tests/deploy/examples': 15,
  'tests/upgrade/upgrade': 260,
};

/** Seconds of other files that take more than twelve. */
const COMPUTING = {
  'packages/client/src/verifiers.slow': 15,
  'packages/postgres/src/servers.db': 22,
  'services/billing-ledger/src/operations/payments/checkouts/create-top-up.db': 15,
  'services/billing-ledger/src/proof/failpoints.db': 15,
  'services/billing-ledger/src/proof/mutations.db': 30,
  'services/billing-ledger/src/proof/payment-failpoints.db': 20,
  'services/billing-ledger/src/proof/undo-failpoints.db': 25,
  'services/edge-gateway/src/operations/reports/roll-up-requests.db': 20,
  'services/gateway-inference/src/operations/turn/turn.db': 14,
  'services/workflow-engine/src/tests/agents/agent-rehearsal.db': 25,
  'services/workflow-engine/src/tests/agents/agents.db': 20,
  'services/workflow-engine/src/tests/batches/batches.db': 40,
  'services/workflow-engine/src/tests/recovery/crash-matrix.db': 25,
  'services/workflow-engine/src/tests/runs/races.db': 15,
  'tests/architecture/boundaries': 15,
  'tests/clients/examples': 40,
  'tests/clients/own-client': 60,
  'tests/contract/fuzz': 25,
  'tests/deploy/migration-locks': 20,
  'tests/e2e/background-streams': 70,
  'tests/e2e/realtime': 90,
  'tests/e2e/realtime-ends': 60,
  'tests/e2e/agents': 20,
  'tests/e2e/mcp-authorization': 18,
  'tests/e2e/isolation': 28,
  'tests/e2e/main-job': 20,
  'tests/e2e/runs': 40,
  'tests/e2e/traces': 25,
  'tests/e2e/upstream-errors': 20,
  'tests/operations/cli': 35,
};

export default class Sequencer extends TestSequencer {
  #workers;
  #root;

  constructor({ globalConfig }) {
    super();
    this.#workers = globalConfig.maxWorkers;
    this.#root = globalConfig.rootDir;
  }

  sort(tests) {
    const files = tests.map((test) => ({ test, ...this.#estimate(test.path) })).sort(bySeconds);
    return inOrderOfStart(files, this.#workers).map(({ test }) => test);
  }

  #estimate(path) {
    const name = path.slice(this.#root.length + 1).replace(/\.test\.ts$/, '');
    if (Object.hasOwn(WAITING, name)) return { seconds: WAITING[name], isWaiting: true };
    if (process.env.CI === 'true' && Object.hasOwn(IN_CI, name)) return { seconds: IN_CI[name], isWaiting: false };
    const others = /^tests\/e2e\//.test(name) ? 6 : /\.(db|slow)$|^tests\//.test(name) ? 4 : 0.5;
    return { seconds: COMPUTING[name] ?? others, isWaiting: false };
  }
}

/** Longest first; by path among equals, so that every run has the same order. */
function bySeconds(a, b) {
  return b.seconds - a.seconds || (a.test.path < b.test.path ? -1 : 1);
}

/** Gives each free worker its next file. The first worker prefers files that wait, the others those that compute. */
function inOrderOfStart(files, workers) {
  const queues = [files.filter((file) => file.isWaiting), files.filter((file) => !file.isWaiting)];
  const freeAt = Array(workers).fill(0);
  return files.map(() => {
    const worker = freeAt.indexOf(Math.min(...freeAt));
    const preferred = worker === 0 ? queues : queues.toReversed();
    const file = preferred.find((queue) => queue.length > 0).shift();
    freeAt[worker] += file.seconds;
    return file;
  });
}
