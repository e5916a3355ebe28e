// as-program.mjs: the app's job as a program of Node, Bun or Deno, from the package itself.
import { doAppJob } from './app-job.mjs';

const agent = globalThis.navigator?.userAgent ?? `Node.js/${process.version}`;
console.log(JSON.stringify({ agent, ...(await doAppJob(JSON.parse(process.env.JOB))) }));
