import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseUrl, withClient } from './database.mjs';
import { adapterFactory } from './driver.mjs';

/** The last message of a Rust panic; the trap that follows has no message. */
let panicMessage;

export function lastPanic() {
  return panicMessage;
}

/** @param {{ url?: string, datamodels: string[] }} args */
export async function createEngine({ url, datamodels }) {
  if (url) await ensureSchema(url);
  const { SchemaEngine } = await loadModule();
  const files = datamodels.map((path) => [path, readFileSync(path, 'utf8')]);
  const options = { datamodels: files.length > 0 ? files : undefined };
  return await SchemaEngine.new(options, () => undefined, adapterFactory(url ?? 'postgresql://localhost/none'));
}

/** The package's own loader fetches the module by URL; in node it has to be instantiated by hand. */
async function loadModule() {
  globalThis.PRISMA_WASM_PANIC_REGISTRY ??= {
    set_message(message) {
      panicMessage = message;
    },
  };
  const path = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bindings = await import(path);
  const bytes = readFileSync(path.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings;
}

/** The native engine creates the schema named in the URL; the WebAssembly one expects it. */
async function ensureSchema(url) {
  const { connectionString, schema } = parseUrl(url);
  if (!schema) return;
  await withClient(connectionString, (client) =>
    client.query(`CREATE SCHEMA IF NOT EXISTS ${client.escapeIdentifier(schema)}`),
  );
}
