import { endpoints } from '../../server/endpoints.js';
import { compileSkill } from './compile-skill.js';

export const skillRouter = endpoints(compileSkill);
