import { type Command, CommandError, UsageError } from '@tollgate/service';
import type { EdgeConfig } from '../config.js';
import { type Peppers, pepperId } from '../domain/api-key.js';
import { resealSigningKeys } from '../operations/tokens/signing-keys.js';
import {
  countKeysByPepper,
  forgetPreviousHashes,
  listKeysOfOtherPeppers,
  type PepperCount,
  revokeKeysOfOtherPeppers,
} from '../store/api-keys.js';

const LIST_DEFAULT = 100;
const LIST_MAX = 10_000;

/** Reports the progress of a rotation of KEY_PEPPER: keys are rehashed when they are used. */
export const showPeppers: Command<EdgeConfig> = {
  summary: 'counts the API keys that still depend on KEY_PEPPER_PREVIOUS, and lists the most recently used of them',
  options: { limit: { value: 'N', summary: `lists at most this many keys (default ${LIST_DEFAULT})` } },
  async run({ config: { peppers }, openPool }, { text, print }) {
    const limit = readLimit(text('limit'));
    const pool = openPool({ max: 1 });
    const counts = toCounts(peppers, await countKeysByPepper(pool));
    for (const key of await listKeysOfOtherPeppers(pool, pepperId(peppers.current), limit)) {
      const used = key.lastUsedAt ? `last used ${key.lastUsedAt.toISOString()}` : 'never used';
      await print(key, `${key.keyId}  project ${key.projectId}  ${used}  ${key.label}`);
    }
    await print(counts, describe(counts, peppers));
  },
};

const KEYS_PER_BATCH = 1_000;

/** Ends a rotation of KEY_PEPPER: afterwards the database contains nothing made with the previous pepper. */
export const finishPepperRotation: Command<EdgeConfig> = {
  summary: 'ends a rotation: deletes the hashes under KEY_PEPPER_PREVIOUS; every edge must have both peppers',
  options: { abandon: { summary: 'revokes the keys that have no hash under KEY_PEPPER yet' } },
  async run({ config: { peppers }, openPool }, { flag, print, signal }) {
    if (peppers.previous === undefined)
      throw new CommandError('KEY_PEPPER_PREVIOUS is not set: no rotation is in progress');
    const pool = openPool({ max: 1 });
    const counts = toCounts(peppers, await countKeysByPepper(pool));
    if (counts.dependent > 0 && !flag('abandon')) {
      throw new CommandError(`${describe(counts, peppers)}; show-peppers lists them, --abandon revokes them`);
    }
    const id = pepperId(peppers.current);
    const revoked = flag('abandon') ? await inBatches((limit) => revokeKeysOfOtherPeppers(pool, id, limit), signal) : 0;
    const signingKeys = await resealSigningKeys(pool, peppers);
    const forgotten = await inBatches((limit) => forgetPreviousHashes(pool, id, limit), signal);
    const done = `revoked ${revoked} keys, forgot ${forgotten} hashes and resealed ${signingKeys} signing keys`;
    await print({ ...counts, revoked, forgotten, signingKeys }, `${done}; KEY_PEPPER_PREVIOUS can be removed`);
  },
};

/** Repeats a change of up to `limit` rows until it finds none. Returns how many it changed. */
async function inBatches(change: (limit: number) => Promise<number>, signal: AbortSignal): Promise<number> {
  let sum = 0;
  for (let last = 1; last > 0; sum += last) {
    signal.throwIfAborted();
    last = await change(KEYS_PER_BATCH);
  }
  return sum;
}

interface Counts {
  current: number;
  /** Rehashed at their next use. */
  dependent: number;
  /** Made with a pepper that is not configured: they cannot be used. */
  lost: number;
}

/** Keys without a pepper id are older than that column. They depend on the previous pepper, if one is configured. */
function toCounts({ current, previous }: Peppers, rows: readonly PepperCount[]): Counts {
  const counts: Counts = { current: 0, dependent: 0, lost: 0 };
  for (const { pepperId: id, keys } of rows) {
    if (id === pepperId(current) || (id === null && previous === undefined)) counts.current += keys;
    else if (previous !== undefined && (id === null || id === pepperId(previous))) counts.dependent += keys;
    else counts.lost += keys;
  }
  return counts;
}

function describe({ current, dependent, lost }: Counts, { previous }: Peppers): string {
  const sums = `${current} keys use KEY_PEPPER, ${dependent} depend on KEY_PEPPER_PREVIOUS, ${lost} on an unknown pepper`;
  if (previous === undefined) return sums;
  return dependent === 0
    ? `${sums}; finish-pepper-rotation ends the rotation`
    : `${sums}; they are rehashed when they are used, and rejected once KEY_PEPPER_PREVIOUS is removed`;
}

function readLimit(text: string | undefined): number {
  const limit = text === undefined ? LIST_DEFAULT : Number(text);
  if (!Number.isInteger(limit) || limit < 0 || limit > LIST_MAX) {
    throw new UsageError(`--limit: expected a whole number from 0 to ${LIST_MAX}`);
  }
  return limit;
}
