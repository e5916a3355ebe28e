import type { JobThreadOptions } from './job-thread.js';

const SOURCE = `
const { module: url, loader } = workerData;
const loaded = loader ? import(loader).then(({ tsImport }) => tsImport(url, url)) : import(url);
async function run(job) {
  return (await loaded).run(job);
}`;

/**
 * The jobs of a thread that are done by the function `run` of a module. A module in TypeScript is loaded by tsx: tests run the
 * sources.
 */
export function moduleJobs({ href }: URL): Pick<JobThreadOptions, 'source' | 'data' | 'execArgv'> {
  if (!href.endsWith('.ts')) return { source: SOURCE, data: { module: href } };
  const loader = import.meta.resolve('tsx/esm/api');
  return { source: SOURCE, data: { module: href, loader }, execArgv: ['--conditions=source'] };
}
