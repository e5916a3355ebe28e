import type { SqlDialect } from '@tollgate/api/state';
import type { Ident } from './ast.js';
import { fold } from './names.js';

interface SystemNames {
  /** Schemas and databases that contain only system tables. */
  schemas: ReadonlySet<string>;
  /** System tables that are found without naming such a schema. */
  isSystemName(table: string, schema: string | undefined): boolean;
}

/** Compatibility views of SQL Server; found in every database, also as `dbo.…`. */
const COMPATIBILITY_VIEWS = words(`
  sysallocations sysaltfiles syscacheobjects syscharsets syscolumns syscomments sysconfigures sysconstraints
  syscurconfigs syscursorcolumns syscursorrefs syscursors syscursortables sysdatabases sysdepends sysdevices
  sysfilegroups sysfiles sysfiles1 sysforeignkeys sysfulltextcatalogs sysfulltextnotify sysindexes sysindexkeys
  syslanguages syslockinfo syslocks syslogins sysmembers sysmessages sysobjects sysoledbusers sysopentapes sysperfinfo
  syspermissions sysprocesses sysproperties sysprotects sysreferences sysremotelogins syssegments sysservers
  systypes sysusers sysxlogins`);

/** Virtual tables of SQLite that expose the database itself. */
const VIRTUAL_TABLES = words('bytecode completion dbstat tables_used');

const SYSTEM: Record<SqlDialect, SystemNames> = {
  postgres: {
    schemas: words('pg_catalog pg_toast information_schema'),
    // Every search path starts with pg_catalog.
    isSystemName: (table) => table.startsWith('pg_'),
  },
  mysql: {
    schemas: words('mysql information_schema performance_schema sys ndbinfo'),
    isSystemName: () => false,
  },
  sqlserver: {
    schemas: words('sys information_schema master msdb tempdb model distribution'),
    isSystemName: (table, schema) => (schema === undefined || schema === 'dbo') && COMPATIBILITY_VIEWS.has(table),
  },
  sqlite: {
    schemas: new Set(),
    isSystemName: (table) => /^(?:sqlite|pragma)_/.test(table) || VIRTUAL_TABLES.has(table),
  },
};

/** Returns whether a reference may mean a system table. */
export function isSystemTable(table: readonly Ident[], dialect: SqlDialect): boolean {
  const names = table.map(({ value }) => fold(value));
  const { isSystemName } = SYSTEM[dialect];
  // SQL Server's `database..table` omits the schema.
  return hasSystemSchema(table, dialect) || isSystemName(names.at(-1)!, names.at(-2) || undefined);
}

/** Returns whether a part before the last is a schema or database that holds only system tables. */
export function hasSystemSchema(name: readonly Ident[], dialect: SqlDialect): boolean {
  return name.slice(0, -1).some(({ value }) => SYSTEM[dialect].schemas.has(fold(value)));
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}
