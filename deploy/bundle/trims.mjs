import { dirname } from 'node:path';

/**
 * Modules of packages that a bundle contains in a smaller form: each process compiles all of its bundle at every start, and
 * keeps its text in memory.
 */
const TRIMMED = [
  // The fifty translations of zod's messages are half of its size; English is not among them.
  { module: /\/zod\/v4\/locales\/index\.js$/, contents: 'export {};' },
  // undici's index loads caches, mocks, cookies and sockets. A name that is missing here fails the build.
  {
    module: /\/undici\/index\.js$/,
    contents: `
      import * as api from './lib/api/index.js';
      import Dispatcher from './lib/dispatcher/dispatcher.js';
      Object.assign(Dispatcher.prototype, api.default);
      export { default as buildConnector } from './lib/core/connect.js';
      export { default as errors } from './lib/core/errors.js';
      export { default as Agent } from './lib/dispatcher/agent.js';
      export { default as Pool } from './lib/dispatcher/pool.js';
      export { fetch } from './lib/web/fetch/index.js';
      export { FormData } from './lib/web/fetch/formdata.js';`,
  },
  // The tables of Asian encodings: bodies and files are UTF-8. Requests in one of them are refused like any unknown encoding.
  { module: /\/iconv-lite\/encodings\/dbcs-data\.js$/, contents: 'module.exports = {};' },
];

/** Puts the smaller forms into a bundle. */
export function trimModules() {
  return {
    name: 'trim-modules',
    setup({ onLoad, onResolve, resolve }) {
      for (const { module, contents } of TRIMMED) {
        onLoad({ filter: module }, ({ path }) => ({ contents, resolveDir: dirname(path), loader: 'js' }));
      }
      // A bundle contains only those exports of the smaller index that it imports.
      onResolve({ filter: /^\.\/lib\// }, async ({ path, importer, kind, resolveDir, pluginData }) => {
        if (pluginData?.isTrimmed || !/\/undici\/index\.js$/.test(importer)) return undefined;
        const found = await resolve(path, { kind, importer, resolveDir, pluginData: { isTrimmed: true } });
        return { ...found, sideEffects: false };
      });
    },
  };
}
