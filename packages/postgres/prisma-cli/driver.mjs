// @prisma/adapter-pg as the driver of the schema engine. It is written for queries of the client and has three gaps:
//  1. the catalog type "char" (oid 18), which introspection selects, is unknown to it: reported as Character;
//  2. its script runner splits at every semicolon, even inside bodies and strings: one simple-protocol query instead;
//  3. its shadow database: a `connectionString` in the configuration overrides the shadow database's name, so the shadow
//     run would hit the real database, and it drops the database before it has closed its own pool.
import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { parseUrl, withAdmin } from './database.mjs';

const charOid = 18;
const textOid = 25;

/** @param {string} url */
export function adapterFactory(url) {
  reportCharAsText();
  const { connectionString, schema } = parseUrl(url);
  const searchPath = schema ? { options: `-c search_path="${schema}"` } : {};
  const config = { ...parseIntoClientConfig(connectionString), ...searchPath };
  return bindMigrationAwareSqlAdapterFactory(new SchemaEngineFactory(config, { schema }, url));
}

class SchemaEngineFactory extends PrismaPg {
  #config;
  #options;
  #url;

  constructor(config, options, url) {
    super(config, options);
    this.#config = config;
    this.#options = options;
    this.#url = url;
  }

  async connect() {
    return patched(await super.connect());
  }

  async connectToShadowDb() {
    const database = `prisma_migrate_shadow_db_${randomUUID()}`;
    await withAdmin(this.#url, (client) => client.query(`CREATE DATABASE "${database}"`));
    const adapter = patched(await new PrismaPg({ ...this.#config, database }, this.#options).connect());
    if (this.#options.schema) await adapter.executeScript(`CREATE SCHEMA IF NOT EXISTS "${this.#options.schema}"`);
    const close = adapter.dispose.bind(adapter);
    adapter.dispose = async () => {
      await close();
      await withAdmin(this.#url, (client) => client.query(`DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`));
    };
    return adapter;
  }
}

/** Lets node-postgres decode "char" as text and remembers that it was one. */
function reportCharAsText() {
  const addFields = pg.Result.prototype.addFields;
  pg.Result.prototype.addFields = function (fields) {
    for (const field of fields) {
      if (field.dataTypeID !== charOid) continue;
      field.dataTypeID = textOid;
      field.isChar = true;
    }
    return addFields.call(this, fields);
  };
}

function patched(adapter) {
  const fieldsOf = new WeakMap();
  const performIO = adapter.performIO.bind(adapter);
  const queryRaw = adapter.queryRaw.bind(adapter);
  const startTransaction = adapter.startTransaction?.bind(adapter);
  adapter.performIO = async (query) => {
    const result = await performIO(query);
    fieldsOf.set(query, result.fields);
    return result;
  };
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const [index, field] of (fieldsOf.get(query) ?? []).entries()) {
      if (field.isChar) result.columnTypes[index] = ColumnTypeEnum.Character;
    }
    return result;
  };
  if (startTransaction) adapter.startTransaction = async (...args) => patched(await startTransaction(...args));
  if (adapter.executeScript) {
    adapter.executeScript = async (script) => {
      try {
        await adapter.client.query(script);
      } catch (error) {
        adapter.onError(error);
      }
    };
  }
  return adapter;
}
