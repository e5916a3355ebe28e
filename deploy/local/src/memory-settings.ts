/**
 * What every process of Tollgate gets in its environment; settings of the caller win. The images (deploy/Dockerfile) and `npm start`
 * (package.json) set the same, which tests/deploy/memory.test.ts checks.
 *
 * glibc opens an arena for each thread that allocates, and keeps in them what large bodies took: with two, a process gives it back.
 */
export const MEMORY_SETTINGS = { MALLOC_ARENA_MAX: '2' };
