// in-edge-runtime.mjs SCRIPT: the app's job in Vercel's edge runtime.
import { readFileSync } from 'node:fs';
import { EdgeRuntime } from 'edge-runtime';

const runtime = new EdgeRuntime({ initialCode: readFileSync(process.argv[2], 'utf8') });
const answer = await runtime.dispatchFetch('http://function/', { method: 'POST', body: process.env.JOB });
if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
console.log(await answer.text());
