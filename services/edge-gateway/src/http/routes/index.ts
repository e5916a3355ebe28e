import type { Route } from '../route.js';

/** Every endpoint that Express serves. The order does not matter: literal segments are matched before parameters. */
export const routes: readonly Route[] = [];
