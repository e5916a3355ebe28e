import type { Route } from '../../route.js';
import { compilePlugin } from './compile-plugin.js';

export const pluginsRoutes: Route[] = [compilePlugin];
