// Services, their dependencies and processes.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Condition, forgottenTransaction, inParallel, repeatedly } from './condition.js';

/** A process that hangs: it neither answers nor ends. */
function hangingService(service: 'billing-ledger' | 'messaging'): Condition {
  return {
    how: `${service} hangs (SIGSTOP)`,
    remedy: 'the replica is restarted (SIGKILL; its supervisor starts another)',
    async cause({ system }) {
      process.kill(system.findPid(service), 'SIGSTOP');
      return () => system.kill(service);
    },
  };
}

const databaseCut: Condition = {
  how: 'the connections to PostgreSQL are cut and new ones refused',
  remedy: 'the way to PostgreSQL is mended; the services connect again by themselves',
  async cause({ proxy }) {
    proxy.cut();
    return async () => proxy.mend();
  },
};

const redisDown: Condition = {
  how: 'Redis is stopped',
  remedy: 'Redis is started again',
  async cause({ redis }) {
    await redis.stop();
    return () => redis.start();
  },
};

export const partConditions: Record<string, Condition> = {
  'TollgateAdmissionErrorBudgetBurn critical': hangingService('billing-ledger'),
  'TollgateAdmissionErrorBudgetBurn warning': hangingService('billing-ledger'),
  TollgateServiceMissing: hangingService('messaging'),
  TollgateNotReady: databaseCut,
  'TollgateDependencyDown critical': databaseCut,
  'TollgateDependencyDown warning': redisDown,
  TollgateDatabasePoolSaturated: forgottenTransaction(
    'a forgotten transaction locks `agents`, and many requests read it',
    'LOCK TABLE agent_registry.agents IN ACCESS EXCLUSIVE MODE',
    ({ project }) => inParallel(30, () => project.owner.get(`/projects/${project.id}/agents`)),
  ),
  TollgateEventLoopDelay: {
    how: 'messaging gets the processor for a quarter of the time only, as with a CPU limit',
    remedy: 'the limit is removed',
    async cause({ system }) {
      const pid = system.findPid('messaging');
      return repeatedly(async () => {
        process.kill(pid, 'SIGSTOP');
        await sleep(400);
        process.kill(pid, 'SIGCONT');
      }, 130);
    },
  },
};
