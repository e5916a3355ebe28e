import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenApiDocument } from './document.js';
import { writePythonMethods } from './python/write-methods.js';
import { writePythonTypes } from './python/write-types.js';
import { writeOperations } from './write-operations.js';
import { writeSchema } from './write-schema.js';

/** Writes the generated files, or returns the names of those that differ from the document. */
export async function generateCore(document: OpenApiDocument, { isCheck }: { isCheck: boolean }): Promise<string[]> {
  const files = {
    '../gen/schema.ts': await writeSchema(document),
    '../gen/operations.ts': writeOperations(document),
    '../../../client-python/src/tollgate/types.py': writePythonTypes(document),
    '../../../client-python/src/tollgate/_operations.py': writePythonMethods(document, 'sync'),
    '../../../client-python/src/tollgate/_async_operations.py': writePythonMethods(document, 'async'),
  };
  const differing = Object.entries(files)
    .map(([name, text]) => ({ file: fileURLToPath(new URL(name, import.meta.url)), text }))
    .filter(({ file, text }) => readText(file) !== text);
  if (!isCheck) {
    for (const { file, text } of differing) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
  return differing.map(({ file }) => basename(file));
}

function readText(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
