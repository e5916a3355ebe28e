import { endpoints } from '../../server/endpoints.js';
import { compilePlugin } from './compile-plugin.js';
import { compileSkill } from './compile-skill.js';

export const pluginRouter = endpoints(compilePlugin, compileSkill);
