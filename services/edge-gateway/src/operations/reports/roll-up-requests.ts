import { type Pool, type Tx, withTransaction } from '@tollgate/postgres';
import { listDays } from '../../store/requests/partitions.js';
import {
  countHours,
  deleteMarks,
  deleteOldCells,
  findMissingHours,
  hasPassed,
  insertRollups,
  isDayRolledUp,
  listMarkedDays,
  listProjects,
  lockRollups,
  type MarkedDay,
  readOpenHour,
  takeHorizon,
  takeMarks,
} from '../../store/requests/rollups/progress.js';
import { addCustomerDay, writeCustomerDays, writeDay, writeHours } from '../../store/requests/rollups/write-cells.js';
import { oldestMs, type RequestLogContext } from '../record-requests.js';

/** Events of an hour arrive for some time after its end; each that arrives later costs another sum. */
const GRACE_MS = 5 * 60_000;
/** Per pass; a full batch is followed by another pass at once. */
const MARKED_DAYS_MAX = 50;
const DELETED_CELLS_MAX = 10_000;
const HOURS_PER_DAY = 24;

/**
 * Adds the requests of past hours and days up, so that reports need not read them. At every moment, an hour of a project that is rolled
 * up and has no mark has the sums of its rows:
 *
 * - A writer's trigger marks the past hours of its rows in the writer's transaction. Sums are written in the transaction that takes the
 *   marks, and read after taking them: a row that they lack has a mark that is not taken.
 * - A writer does not mark the hour that is current by the database's clock. That hour is rolled up only when every transaction that was
 *   open after its end has ended, so the first sum has the rows of all of them.
 */
export class RequestRollup {
  readonly #ctx: RequestLogContext;
  /** Hours before `openHour` are rolled up when all transactions before `horizon` have ended. */
  #awaited: { openHour: Date; horizon: string } | undefined;

  constructor(ctx: RequestLogContext) {
    this.#ctx = ctx;
  }

  /** Does a bounded part of the work. Returns whether more may remain. */
  async run(): Promise<boolean> {
    const { pool } = this.#ctx;
    const hasMissing = await this.#addHours();
    const marked = await listMarkedDays(pool, MARKED_DAYS_MAX);
    for (const day of marked) if (!(await replaceSums(pool, day))) return false;
    const hasOld = await deleteOldCells(pool, new Date(oldestMs(this.#ctx)), DELETED_CELLS_MAX);
    return hasMissing || marked.length === MARKED_DAYS_MAX || hasOld;
  }

  /** Rolls up the missing hours of the newest day that has some. Returns whether it did: there may be others. */
  async #addHours(): Promise<boolean> {
    const { pool } = this.#ctx;
    const days = await this.#keptDays();
    const openHour = await readOpenHour(pool, GRACE_MS);
    if (!(await findMissingHours(pool, days, openHour))) return false;
    this.#awaited ??= { openHour, horizon: await takeHorizon(pool) };
    if (!(await hasPassed(pool, this.#awaited.horizon))) return false;
    const wasAdded = await addMissingHours(pool, days, this.#awaited.openHour);
    if (!wasAdded) this.#awaited = undefined;
    return wasAdded;
  }

  async #keptDays(): Promise<Date[]> {
    const oldest = oldestMs(this.#ctx);
    return (await listDays(this.#ctx.pool)).filter(({ dayMs }) => dayMs >= oldest).map(({ dayMs }) => new Date(dayMs));
  }
}

function addMissingHours(pool: Pool, days: readonly Date[], openHour: Date): Promise<boolean> {
  return withTransaction(pool, async (tx) => {
    if (!(await lockRollups(tx))) return false;
    const missing = await findMissingHours(tx, days, openHour);
    if (!missing) return false;
    const { day, hours } = missing;
    await deleteMarks(tx, hours);
    const projectIds = await listProjects(tx, day);
    for (const projectId of projectIds) await writeHours(tx, projectId, day, hours);
    await insertRollups(tx, 'hour', hours);
    if ((await countHours(tx, day)) === HOURS_PER_DAY) await addDay(tx, day, projectIds);
    return true;
  });
}

async function addDay(tx: Tx, day: Date, projectIds: readonly string[]): Promise<void> {
  for (const projectId of projectIds) {
    await writeDay(tx, projectId, day);
    await addCustomerDay(tx, projectId, day);
  }
  await insertRollups(tx, 'day', [day]);
}

/** Sums the marked hours of a project's day again, and the day if it was rolled up. Returns false while another replica does. */
function replaceSums(pool: Pool, marked: MarkedDay): Promise<boolean> {
  const { projectId, day } = marked;
  return withTransaction(pool, async (tx) => {
    if (!(await lockRollups(tx))) return false;
    const { hours, customerIds } = await takeMarks(tx, marked);
    if (hours.length === 0) return true;
    await writeHours(tx, projectId, day, hours);
    if (!(await isDayRolledUp(tx, day))) return true;
    await writeDay(tx, projectId, day);
    await writeCustomerDays(tx, projectId, day, customerIds);
    return true;
  });
}
