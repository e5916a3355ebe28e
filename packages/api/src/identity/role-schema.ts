import { z } from 'zod';
import { permissions, roles } from './roles.js';

export const roleSchema = z
  .enum(roles)
  .describe(
    '`owner` may do everything; `admin` all but delete the project and change its owners; `viewer` changes nothing',
  );

export const permissionSchema = z.enum(permissions).describe('something that a role permits in a project');
