import type { Queryable } from '@tollgate/postgres';
import { ReadCache } from '@tollgate/runtime';
import type { HashedPlan, Plan } from '../domain/plan/plan.js';
import { parseJson } from '../domain/values/json.js';

const CACHE_BYTES_MAX = 32 * 1024 * 1024;

/** Stores plans by their hash. Plans never change, so a cached plan is always current. */
export interface PlanStore {
  /** Returns undefined when the project has no such plan. */
  load(db: Queryable, projectId: string, planHash: string): Promise<Plan | undefined>;
  /** Stores the plan for later runs. A plan that exists already is marked as used. */
  save(db: Queryable, projectId: string, plan: HashedPlan): Promise<void>;
  /** Marks a stored plan as used by a new run. Returns false when the plan does not exist. */
  use(db: Queryable, projectId: string, planHash: string): Promise<boolean>;
}

export function createPlanStore(): PlanStore {
  const plans = new ReadCache<SizedPlan>({ sizeMax: CACHE_BYTES_MAX, sizeOf: ({ size }) => size });
  return {
    async load(db, projectId, planHash) {
      return (await plans.get(`${projectId}/${planHash}`, () => readPlan(db, projectId, planHash)))?.plan;
    },
    use: usePlan,
    async save(db, projectId, { plan, text, hash }) {
      // An insert that finds the row would lock it, and then runs of one plan would start one after the other.
      if (!(await usePlan(db, projectId, hash))) {
        await db.query({
          name: 'plans.save',
          text: `INSERT INTO plans (project_id, plan_hash, plan) VALUES ($1, $2, $3)
                 ON CONFLICT (project_id, plan_hash) DO UPDATE SET last_used_at = now()`,
          values: [projectId, hash, text],
        });
      }
      plans.set(`${projectId}/${hash}`, { plan, size: text.length });
    },
  };
}

interface SizedPlan {
  plan: Plan;
  /** Characters of its JSON. */
  size: number;
}

async function readPlan(db: Queryable, projectId: string, planHash: string): Promise<SizedPlan | undefined> {
  const result = await db.query<{ plan: string }>({
    name: 'plans.load',
    text: 'SELECT plan FROM plans WHERE project_id = $1 AND plan_hash = $2',
    values: [projectId, planHash],
  });
  const text = result.rows[0]?.plan;
  return text === undefined ? undefined : { plan: parseJson(text) as unknown as Plan, size: text.length };
}

/** The share lock keeps a purge from deleting the plan before the new run is committed. */
async function usePlan(db: Queryable, projectId: string, planHash: string): Promise<boolean> {
  const found = await db.query<{ is_old: boolean }>({
    name: 'plans.use',
    text: `SELECT last_used_at < now() - interval '1 day' AS is_old FROM plans
           WHERE project_id = $1 AND plan_hash = $2 FOR KEY SHARE`,
    values: [projectId, planHash],
  });
  if (!found.rows[0]) return false;
  if (found.rows[0].is_old) {
    const text = 'UPDATE plans SET last_used_at = now() WHERE project_id = $1 AND plan_hash = $2';
    await db.query({ name: 'plans.touch', text, values: [projectId, planHash] });
  }
  return true;
}
