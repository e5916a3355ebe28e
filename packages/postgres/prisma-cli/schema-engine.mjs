#!/usr/bin/env node
// Speaks the protocol of Prisma's native `schema-engine` program in front of @prisma/schema-engine-wasm, which does the
// same work. The Prisma CLI starts it when PRISMA_SCHEMA_ENGINE_BINARY names this file. It reaches into internals of
// prisma 7.10: all @prisma/* versions are pinned to that release.
import { readArguments } from './arguments.mjs';

const args = readArguments(process.argv.slice(2));

if (args.wantsVersion) {
  console.log('schema-engine-cli wasm');
} else if (args.databaseCommand) {
  const { runDatabaseCommand } = await import('./database-commands.mjs');
  process.exitCode = await runDatabaseCommand(args.databaseCommand, args.url);
} else {
  const { serve } = await import('./json-rpc.mjs');
  await serve(args);
}
