import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const COMPRESSED = new Set(['.html', '.js', '.css', '.svg', '.json']);
/** The best of gzip; brotli's best takes ten times as long for two percent less. */
const BROTLI_QUALITY = 9;

export default defineConfig({
  base: '/console/',
  plugins: [react(), tailwind(), precompress()],
  build: {
    target: 'es2022',
    // The policy of the edge allows no data URLs for scripts, styles and fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { input: { index: 'index.html', portal: 'portal.html' } },
    license: { fileName: 'licenses.json' },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});

/** Writes a .br and a .gz file beside each text file: the edge compresses nothing itself. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle({ dir }) {
      for (const name of readdirSync(dir as string, { recursive: true, encoding: 'utf8' })) {
        if (!COMPRESSED.has(extname(name))) continue;
        const file = join(dir as string, name);
        const bytes = readFileSync(file);
        const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
