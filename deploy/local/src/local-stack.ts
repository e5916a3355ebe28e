import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LocalDatabase, startLocalDatabase } from './database.js';
import { deleteLocalData, POSTGRES_FOLDER, SECRETS_FILE } from './delete-local-data.js';
import { pickPort } from './free-port.js';
import { startOneProcess } from './one-process.js';
import type { Options } from './options.js';
import { type LocalPayments, startLocalPayments } from './payments.js';
import { localSecrets } from './secrets.js';
import { type Demo, seed } from './seed.js';
import { startSeparate } from './separate.js';
import type { ServicePlace, Stack } from './stack.js';

/** Contents of `.local/tollgate.json`. */
export interface LocalFile extends Demo {
  services: Record<string, ServicePlace>;
  postgres_url: string;
  /** The address of the simulated card processor; absent with the real one. */
  payments_url?: string;
}

export interface LocalStack {
  file: LocalFile;
  /** The folder of all data that is kept between starts. */
  home: string;
  stop(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Preferred; when it is busy, another free one. */
const HEALTH_PORT = 9464;
const OWNER_EMAIL = 'owner@tollgate.local';

/** Starts the local stack: database, services, demo data. Its data is kept between starts. */
export async function startLocalStack(options: Options, say: (line: string) => void): Promise<LocalStack> {
  const home = process.env.TOLLGATE_HOME ?? join(ROOT, '.local');
  const jsonFile = join(home, 'tollgate.json');
  const dataDir = join(home, POSTGRES_FOLDER);
  if (options.isReset) {
    say('Deleting the local data');
    deleteLocalData(home);
  }
  mkdirSync(home, { recursive: true });
  const known = existsSync(jsonFile) ? (JSON.parse(readFileSync(jsonFile, 'utf8')) as Partial<LocalFile>) : {};
  const database = await startDatabase(dataDir, say);
  let stack: Stack | undefined;
  let payments: LocalPayments | undefined;
  const stop = async (): Promise<void> => {
    await stack?.stop();
    await payments?.stop();
    await database.stop();
  };
  try {
    const { PAYMENT_NOTICE_SECRET: noticeSecret, ...secrets } = localSecrets(join(home, SECRETS_FILE));
    const httpPort = await pickPort(options.httpPort);
    if (httpPort !== options.httpPort && options.httpPort !== 0)
      say(`Port ${options.httpPort} is busy; using ${httpPort}`);
    payments = await startLocalPayments({ home, httpPort, noticeSecret, env: process.env });
    const env = {
      ...localEnvironment(home, httpPort),
      ...secrets,
      ...process.env,
      ...payments.env,
      DATABASE_URL: database.url,
    };
    let file: LocalFile | undefined;
    const onPlacesChanged = (services: Record<string, ServicePlace>): void => {
      if (file) writeJson(jsonFile, { ...file, services });
    };
    say(options.isSeparate ? 'Starting seven services, one process each' : 'Starting the services');
    const start = options.isSeparate ? startSeparate : startOneProcess;
    const healthPort = await pickPort(Number(process.env.HEALTH_PORT || HEALTH_PORT));
    stack = await start({ env, httpPort, healthPort, logDir: join(home, 'logs'), onPlacesChanged, log: say });
    say('Preparing the demo project');
    const owner = { email: OWNER_EMAIL, password: env.DEV_OWNER_PASSWORD };
    const demo = await seed(stack, owner, known, env);
    const { url: payments_url } = payments;
    file = { ...demo, services: stack.services, postgres_url: database.url, ...(payments_url && { payments_url }) };
    writeJson(jsonFile, file);
    return { file, home, stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

/** Returns the defaults for a developer's machine; the environment overrides them. */
function localEnvironment(home: string, httpPort: number): Record<string, string> {
  return {
    DEV_MODE: '1',
    DEV_OWNER_EMAIL: OWNER_EMAIL,
    SANDBOX_PROVIDER: '1',
    ALLOW_PRIVATE_ENDPOINTS: '1',
    PUBLIC_BASE_URL: `http://127.0.0.1:${httpPort}`,
    IMAGE_STORAGE_DIR: join(home, 'images'),
  };
}

async function startDatabase(dataDir: string, say: (line: string) => void): Promise<LocalDatabase> {
  const url = process.env.DATABASE_URL;
  if (url) return { url, stop: async () => undefined };
  say('Starting PostgreSQL');
  return startLocalDatabase(dataDir, say);
}

/** Writes the file atomically: readers never see a part of it. */
function writeJson(file: string, value: unknown): void {
  const draft = `${file}.new`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
