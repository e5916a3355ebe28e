// in-workerd.mjs SCRIPT: the app's job in workerd.
import { Miniflare } from 'miniflare';

const worker = new Miniflare({
  ...{ modules: [{ type: 'ESModule', path: process.argv[2] }], compatibilityDate: '2026-01-01', host: '127.0.0.1' },
  cf: false, // it would be downloaded
});
const answer = await worker.dispatchFetch('http://worker/', { method: 'POST', body: process.env.JOB });
console.log(await answer.text());
await worker.dispose();
