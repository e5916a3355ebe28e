import { endpoints } from '../../server/endpoints.js';
import { compilePlugin } from './compile-plugin.js';

export const pluginRouter = endpoints(compilePlugin);
