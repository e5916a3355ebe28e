import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { atMost, type Logger } from '@tollgate/runtime';
import { isUuid } from '@tollgate/runtime/uuid';
import { LRUCache } from 'lru-cache';
import { chooseDatabase } from '../../domain/databases/ledger-databases.js';
import type { Pool } from '../../store/database.js';
import { assignOwnerDatabase, readOwnerDatabase } from '../../store/owner-databases.js';

const ENTRIES_MAX = 200_000;

type Owner = Pick<Principal, 'accountId' | 'projectId'>;

/**
 * Finds the database of an owner account. The first database stores each owner's, and never changes it: so it is cached
 * without an end, and the settings of new owners move no owner.
 */
export class OwnerDirectory {
  readonly #known = new LRUCache<string, string>(atMost(ENTRIES_MAX));
  readonly #reading = new Map<string, Promise<string>>();
  readonly #pool: Pool;
  readonly #databases: ReadonlySet<string>;
  readonly #newOwners: readonly string[];
  readonly #logger: Logger;

  /** `pool` is the first database's. */
  constructor(options: { pool: Pool; databases: readonly string[]; newOwners: readonly string[]; logger: Logger }) {
    this.#pool = options.pool;
    this.#databases = new Set(options.databases);
    this.#newOwners = options.newOwners;
    this.#logger = options.logger;
  }

  /** Returns the name at once if it is cached. Concurrent misses share one read. */
  find(owner: Owner): string | Promise<string> {
    const { accountId } = owner;
    const known = this.#known.get(accountId);
    if (known !== undefined) return known;
    let reading = this.#reading.get(accountId);
    if (!reading) {
      reading = this.#read(owner).finally(() => this.#reading.delete(accountId));
      this.#reading.set(accountId, reading);
    }
    return reading;
  }

  async #read(owner: Owner): Promise<string> {
    const { accountId } = owner;
    if (!isUuid(accountId)) throw new AppError('INVALID_INPUT', 'the call must name its owner account');
    const found = (await readOwnerDatabase(this.#pool, accountId)) ?? (await this.#assign(owner));
    if (!this.#databases.has(found)) {
      this.#logger.error(
        { owner_account_id: accountId, database: found },
        'database of the account not in LEDGER_DATABASES',
      );
      throw new AppError('SERVICE_UNAVAILABLE', 'the ledger of the account is unavailable');
    }
    this.#known.set(accountId, found);
    return found;
  }

  async #assign(owner: Owner): Promise<string> {
    await assignOwnerDatabase(this.#pool, owner, chooseDatabase(owner.accountId, this.#newOwners));
    // Another replica may have been faster, with other settings.
    const database = await readOwnerDatabase(this.#pool, owner.accountId);
    if (database === undefined) throw new Error(`owner account ${owner.accountId} has no database`);
    this.#logger.info({ owner_account_id: owner.accountId, database }, 'owner account assigned to a database');
    return database;
  }
}
