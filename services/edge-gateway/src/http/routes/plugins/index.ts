import type { Route } from '../../exchange/route.js';
import { compilePlugin } from './compile-plugin.js';

export const pluginsRoutes: Route[] = [compilePlugin];
