import type { Queryable } from '@tollgate/postgres';
import { LRUCache } from 'lru-cache';
import type { HashedPlan, Plan } from '../domain/plan.js';

const CACHE_BYTES_MAX = 32 * 1024 * 1024;

/** Plans never change, so a cached one is always right. */
export interface PlanStore {
  /** Undefined when the project has no such plan. */
  load(db: Queryable, projectId: string, planHash: string): Promise<Plan | undefined>;
  /** Keeps the plan for later runs by its hash. */
  save(db: Queryable, projectId: string, plan: HashedPlan): Promise<void>;
}

export function createPlanStore(): PlanStore {
  const cache = new LRUCache<string, Plan>({ maxSize: CACHE_BYTES_MAX });
  const keep = (projectId: string, planHash: string, plan: Plan, size: number): void => {
    cache.set(`${projectId}/${planHash}`, plan, { size: Math.max(1, size) });
  };
  return {
    async load(db, projectId, planHash) {
      const cached = cache.get(`${projectId}/${planHash}`);
      if (cached) return cached;
      const result = await db.query<{ plan: string }>({
        name: 'plans.load',
        text: 'SELECT plan FROM plans WHERE project_id = $1 AND plan_hash = $2',
        values: [projectId, planHash],
      });
      const text = result.rows[0]?.plan;
      if (text === undefined) return undefined;
      const plan = JSON.parse(text) as Plan;
      keep(projectId, planHash, plan, text.length);
      return plan;
    },
    async save(db, projectId, { plan, text, hash }) {
      await db.query({
        name: 'plans.save',
        text: 'INSERT INTO plans (project_id, plan_hash, plan) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        values: [projectId, hash, text],
      });
      keep(projectId, hash, plan, text.length);
    },
  };
}
