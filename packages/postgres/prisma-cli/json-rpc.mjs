import { createInterface } from 'node:readline';
import { createDatabase } from './database.mjs';
import { createEngine, lastPanic } from './wasm-engine.mjs';

/** Methods that the WebAssembly engine calls by another name than the native one. */
const renamed = { getDatabaseVersion: 'version' };

/** The error code the native engine gives every failure of a method. */
const methodFailed = 4466;

/**
 * JSON-RPC over standard input and output, one request per line, answered in order, until the input ends.
 * @param {{ url?: string, datamodels: string[] }} args
 */
export async function serve(args) {
  process.on('uncaughtException', (error) => {
    const fields = { message: lastPanic() ?? String(error), backtrace: error.stack };
    console.error(JSON.stringify({ level: 'ERROR', fields }));
    process.exit(1);
  });
  let engine;
  const getEngine = () => (engine ??= createEngine(args));
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() !== '') await answer(JSON.parse(line), getEngine, args.url);
  }
  process.exit(0); // the engine's connections would keep the process alive
}

async function answer({ id, method, params }, getEngine, url) {
  if (!method) return; // the CLI acknowledges a "print"
  try {
    send({ id, result: (await call(method, params, getEngine, url)) ?? null });
  } catch (error) {
    send({ id, error: describeError(error) });
  }
}

async function call(method, params, getEngine, url) {
  if (method === 'createDatabase') return await createDatabase(params?.datasource?.url ?? url);
  const engine = await getEngine();
  const result = await engine[renamed[method] ?? method](params ?? undefined);
  if (method === 'diff' && result?.stdout != null) {
    // The native engine prints a diff through the CLI and leaves `stdout` empty.
    send({ id: 'print', method: 'print', params: { content: result.stdout } });
    result.stdout = null;
  }
  return result;
}

function describeError(error) {
  const message = error?.message ?? String(error);
  const data = error?.code
    ? { is_panic: false, message, error_code: error.code, meta: error.meta }
    : { is_panic: false, message: lastPanic() ?? message };
  return { code: methodFailed, message, data };
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
