const ROLES = ['owner', 'admin', 'developer', 'billing', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

const everyRole = ROLES;
const managers = ['owner', 'admin'] as const;
const builders = ['owner', 'admin', 'developer'] as const;

/** The roles of the members who may do something in a project. */
const rolesByPermission = {
  'project.read': everyRole,
  'project.update': managers,
  'project.delete': ['owner'],
  'members.read': ['owner', 'admin', 'viewer'],
  'members.manage': managers,
  'membership.end': everyRole,
  'money.read': ['owner', 'admin', 'billing', 'viewer'],
  'money.manage': ['owner', 'admin', 'billing'],
  'tiers.read': everyRole,
  'tiers.manage': managers,
  'customers.read': everyRole,
  'customers.manage': builders,
  'customers.delete': managers,
  'requests.read': everyRole,
  'keys.read': ['owner', 'admin', 'developer', 'viewer'],
  'keys.manage': builders,
  'resources.read': ['owner', 'admin', 'developer', 'viewer'],
  'resources.manage': builders,
  'models.use': builders,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof rolesByPermission;

export const permissions = Object.keys(rolesByPermission) as [Permission, ...Permission[]];

/** Lists everything that a member in this role may do. */
export function listPermissions(role: Role): Permission[] {
  return permissions.filter((permission) => hasPermission(role, permission));
}

/** Every role, the most powerful first. */
export const roles = ROLES;

/** Whether a member in this role may do it. */
export function hasPermission(role: Role, permission: Permission): boolean {
  return (rolesByPermission[permission] as readonly Role[]).includes(role);
}

/** Whether a member in the role `actor` may give or take these roles: only owners make and remove owners. */
export function mayAssign(actor: Role, ...affected: readonly (Role | undefined)[]): boolean {
  if (!hasPermission(actor, 'members.manage')) return false;
  return actor === 'owner' || !affected.includes('owner');
}
