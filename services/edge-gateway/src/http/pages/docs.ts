import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { AppError } from '@tollgate/errors';
import { ReadCache } from '@tollgate/runtime';
import { z } from 'zod';
import { defineRoute } from '../exchange/route.js';
import { PAGE_STYLE, page } from './page.js';

/** The reference is made from the OpenAPI document by Swagger UI, whose files this server sends itself. */
export const showDocs = defineRoute({
  method: 'GET',
  path: '/docs',
  tag: 'Meta',
  summary: 'Show the API reference',
  auth: 'none',
  ignoresUnknownQuery: true,
  success: { status: 200, contentType: 'text/html' },
  handler: async () => {
    const { body, headers } = page({
      title: 'Tollgate API',
      head: '<link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/swagger-ui.css">',
      content: `<div id="reference"></div><script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>`,
      policy: "script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'",
    });
    return { body, headers: { ...headers, 'Cache-Control': 'public, max-age=300' } };
  },
});

/** Requests stay on this page: people try them with their own keys, which the page does not store. */
const START = `SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  persistAuthorization: false,
  requestSnippetsEnabled: true,
  validatorUrl: null,
});
`;

/** Files that are written here. */
const OWN: Readonly<Record<string, string>> = { 'start.js': START, 'page.css': PAGE_STYLE };

const TYPES: Readonly<Record<string, string>> = {
  'page.css': 'text/css; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
};

export const getDocsFile = defineRoute({
  method: 'GET',
  path: '/docs/:file',
  tag: 'Meta',
  summary: 'Get a file of the API reference',
  auth: 'none',
  params: z.object({ file: z.string() }),
  ignoresUnknownQuery: true,
  success: { status: 200, contentType: 'text/javascript' },
  handler: async ({ params: { file }, headers }) => {
    const type = Object.hasOwn(TYPES, file) ? TYPES[file] : undefined;
    if (type === undefined) throw new AppError('NOT_FOUND', 'no such file');
    const { plain, zipped } = await files.get(file, () => loadDocsFile(file));
    const isZipped = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
    return {
      body: isZipped ? zipped : plain,
      headers: {
        'Content-Type': type,
        'Cache-Control': 'public, max-age=3600',
        Vary: 'Accept-Encoding',
        ...(isZipped && { 'Content-Encoding': 'gzip' }),
      },
    };
  },
});

interface DocsFile {
  plain: Buffer;
  zipped: Buffer;
}

/** Each file is read and compressed once. */
const files = new ReadCache<DocsFile>({ sizeMax: 100 });

async function loadDocsFile(name: string): Promise<DocsFile> {
  const plain = Object.hasOwn(OWN, name) ? Buffer.from(OWN[name]!) : await readFile(join(findFolder(), name));
  return { plain, zipped: await promisify(gzip)(plain) };
}

function findFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}
