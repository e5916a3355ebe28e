import { endpoints } from '../../server/endpoints.js';
import { compilePlugin, compileSkill } from './compile.js';

export const pluginRouter = endpoints(compilePlugin, compileSkill);
