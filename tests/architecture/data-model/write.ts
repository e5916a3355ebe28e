// Writes docs/data-model.md.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DATA_MODEL, readServices } from './files.js';
import { renderDataModel } from './render.js';

writeFileSync(fileURLToPath(DATA_MODEL), renderDataModel(readServices()));
