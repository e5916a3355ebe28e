import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '@tollgate/runtime';
import { freePort } from '@tollgate/runtime/free-port';
import { serviceFields } from '@tollgate/service';
import { z } from 'zod';
import type { LocalConfig } from './config.js';
import { type LocalDatabase, startLocalDatabase } from './database.js';
import { deleteLocalData, POSTGRES_FOLDER, SECRETS_FILE } from './delete-local-data.js';
import type { Demo } from './demo/seed.js';
import { prepareHome } from './home.js';
import type { Options } from './options.js';
import type { LocalPayments } from './payments.js';
import { localSecrets } from './secrets.js';
import { checkSettings } from './settings.js';
import type { ServicePlace, Stack, StackOptions } from './stack.js';

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
export async function startLocalStack(
  options: Options,
  config: LocalConfig,
  say: (line: string) => void,
): Promise<LocalStack> {
  // At once, not after the database has started.
  loadConfig(z.object({ LOG_LEVEL: serviceFields.LOG_LEVEL }), config.variables);
  const home = config.home ?? join(ROOT, '.local');
  const jsonFile = join(home, 'tollgate.json');
  const dataDir = join(home, POSTGRES_FOLDER);
  if (options.isReset) {
    say('Deleting the local data');
    deleteLocalData(home);
  }
  prepareHome(home);
  const { PAYMENT_NOTICE_SECRET: webhookSecret, ...secrets } = localSecrets(join(home, SECRETS_FILE));
  const settings = { ...localEnvironment(home, options.httpPort), ...secrets, ...config.variables };
  // Before PostgreSQL starts; DATABASE_URL of the embedded one is known later.
  checkSettings({ ...settings, DATABASE_URL: config.databaseUrl ?? 'postgresql://127.0.0.1' });
  const known = existsSync(jsonFile) ? (JSON.parse(readFileSync(jsonFile, 'utf8')) as Partial<LocalFile>) : {};
  const starting = startDatabase(config, dataDir, say);
  const loading = loadServices(options);
  loading.catch(() => undefined);
  const database = await starting;
  let stack: Stack | undefined;
  let payments: LocalPayments | undefined;
  const stop = async (): Promise<void> => {
    await stack?.stop();
    await payments?.stop();
    await database.stop();
  };
  try {
    const httpPort = await freePort(options.httpPort);
    if (httpPort !== options.httpPort && options.httpPort !== 0)
      say(`Port ${options.httpPort} is busy; using ${httpPort}`);
    const { start, startLocalPayments, seed } = await loading;
    payments = await startLocalPayments({ home, httpPort, webhookSecret, env: config.variables });
    const env = {
      ...settings,
      PUBLIC_BASE_URL: config.variables.PUBLIC_BASE_URL ?? publicBaseUrl(httpPort),
      ...payments.env,
      DATABASE_URL: database.url,
    };
    let file: LocalFile | undefined;
    const onPlacesChanged = (services: Record<string, ServicePlace>): void => {
      if (file) writeJson(jsonFile, { ...file, services });
    };
    say(options.isSeparate ? 'Starting seven services, one process each' : 'Starting the services');
    const healthPort = await freePort(Number(config.variables.HEALTH_PORT || HEALTH_PORT));
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

interface Services {
  start(options: StackOptions): Promise<Stack>;
  startLocalPayments: typeof import('./payments.js').startLocalPayments;
  seed: typeof import('./demo/seed.js').seed;
}

/** Loads the code of the services, which takes as long as PostgreSQL needs to start. */
async function loadServices({ isSeparate }: Options): Promise<Services> {
  const start = isSeparate
    ? (await import('./separate.js')).startSeparate
    : (await import('./one-process.js')).startOneProcess;
  const [{ startLocalPayments }, { seed }] = await Promise.all([import('./payments.js'), import('./demo/seed.js')]);
  return { start, startLocalPayments, seed };
}

/** Returns the defaults for a developer's machine; the environment overrides them. */
function localEnvironment(home: string, httpPort: number): Record<string, string> {
  return {
    DEV_MODE: '1',
    DEV_OWNER_EMAIL: OWNER_EMAIL,
    SANDBOX_PROVIDER: '1',
    ALLOW_PRIVATE_ENDPOINTS: '1',
    PUBLIC_BASE_URL: publicBaseUrl(httpPort),
    IMAGE_STORAGE_DIR: join(home, 'images'),
    RESPONSE_STORAGE: '1',
  };
}

function publicBaseUrl(httpPort: number): string {
  return `http://127.0.0.1:${httpPort}`;
}

async function startDatabase(
  { databaseUrl: url }: LocalConfig,
  dataDir: string,
  say: (line: string) => void,
): Promise<LocalDatabase> {
  if (url) {
    await (await import('./external-database.js')).checkExternalDatabase(url);
    return { url, stop: async () => undefined };
  }
  say('Starting PostgreSQL');
  return startLocalDatabase(dataDir, say);
}

/** Writes the file atomically: readers never see a part of it. */
function writeJson(file: string, value: unknown): void {
  const draft = `${file}.new`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
