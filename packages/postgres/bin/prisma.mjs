#!/usr/bin/env node
// The stock Prisma CLI on the WebAssembly schema engine: nothing is downloaded and no telemetry is sent.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

process.env.CHECKPOINT_DISABLE = '1';
process.env.PRISMA_HIDE_UPDATE_MESSAGE = '1';
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(new URL('../prisma-cli/schema-engine.mjs', import.meta.url));

const require = createRequire(import.meta.url);
const cli = require.resolve('prisma/build/index.js');
process.argv[1] = cli;
require(cli);
