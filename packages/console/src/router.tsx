import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { projectsQuery } from './api/queries.js';
import { queryClient } from './api/query-client.js';
import { readAccessToken } from './api/session.js';
import { type RangeName, readRangeName } from './format/date-range.js';
import { readChosenProject } from './shell/chosen-project.js';
import { LostPage, RouteFailure } from './shell/route-states.js';
import { TEXT_FIELDS, type TextSearch } from './shell/text-search.js';

const root = createRootRoute({ component: Outlet, notFoundComponent: LostPage, errorComponent: RouteFailure });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): { to?: string | undefined; failed?: string | undefined } => ({
    to: readText(search.to),
    failed: readText(search.failed),
  }),
  component: lazyRouteComponent(() => import('./screens/sign-in/sign-in-screen.js'), 'SignInScreen'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./screens/members/invitation-screen.js'), 'InvitationScreen'),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./screens/password/forgot-password-screen.js'), 'ForgotPasswordScreen'),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./screens/password/reset-password-screen.js'), 'ResetPasswordScreen'),
});

const device = createRoute({
  getParentRoute: () => root,
  path: '/device',
  validateSearch: (search): { user_code?: string | undefined } => ({ user_code: readText(search.user_code) }),
  beforeLoad: ({ location }) => requireSession(location),
  component: lazyRouteComponent(() => import('./screens/device/device-screen.js'), 'DeviceScreen'),
});

/** Leads to the project that was shown last, or to the first one. */
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ location }) => {
    await requireSession(location);
    const { projects } = await queryClient.ensureQueryData(projectsQuery);
    const chosen = projects.find(({ id }) => id === readChosenProject()) ?? projects[0];
    if (chosen) throw redirect({ to: '/p/$projectId/overview', params: { projectId: chosen.id } });
  },
  component: LostPage,
});

const project = createRoute({
  getParentRoute: () => root,
  path: '/p/$projectId',
  validateSearch: (search): { range?: RangeName | undefined } => ({ range: readRangeName(search.range) }),
  beforeLoad: ({ location }) => requireSession(location),
  component: lazyRouteComponent(() => import('./shell/shell.js'), 'Shell'),
});

interface PageSearch extends TextSearch {
  /** Of the list on the page. */
  offset?: number | undefined;
}

const page = <Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({
    getParentRoute: () => project,
    path,
    validateSearch: (search): PageSearch => ({ ...readTexts(search), offset: readOffset(search.offset) }),
    component,
  });

const pages = [
  page(
    '/requests',
    lazyRouteComponent(() => import('./screens/requests/requests-screen.js'), 'RequestsScreen'),
  ),
  page(
    '/requests/$requestId',
    lazyRouteComponent(() => import('./screens/requests/request-screen.js'), 'RequestScreen'),
  ),
  page(
    '/usage',
    lazyRouteComponent(() => import('./screens/usage/usage-screen.js'), 'UsageScreen'),
  ),
  page(
    '/overview',
    lazyRouteComponent(() => import('./screens/overview/overview-screen.js'), 'OverviewScreen'),
  ),
  page(
    '/customers',
    lazyRouteComponent(() => import('./screens/customers/customers-screen.js'), 'CustomersScreen'),
  ),
  page(
    '/customers/$customerId',
    lazyRouteComponent(() => import('./screens/customers/customer-screen.js'), 'CustomerScreen'),
  ),
  page(
    '/tiers',
    lazyRouteComponent(() => import('./screens/tiers/tiers-screen.js'), 'TiersScreen'),
  ),
  page(
    '/tiers/$tierId',
    lazyRouteComponent(() => import('./screens/tiers/tier-screen.js'), 'TierScreen'),
  ),
  page(
    '/keys',
    lazyRouteComponent(() => import('./screens/keys/keys-screen.js'), 'KeysScreen'),
  ),
  page(
    '/runs',
    lazyRouteComponent(() => import('./screens/runs/runs-screen.js'), 'RunsScreen'),
  ),
  page(
    '/runs/$runId',
    lazyRouteComponent(() => import('./screens/runs/run-screen.js'), 'RunScreen'),
  ),
  page(
    '/sessions',
    lazyRouteComponent(() => import('./screens/sessions/sessions-screen.js'), 'SessionsScreen'),
  ),
  page(
    '/sessions/$sessionId',
    lazyRouteComponent(() => import('./screens/sessions/session-screen.js'), 'SessionScreen'),
  ),
  page(
    '/state-handles',
    lazyRouteComponent(() => import('./screens/state-handles/state-handles-screen.js'), 'StateHandlesScreen'),
  ),
  page(
    '/state-handles/$stateId',
    lazyRouteComponent(() => import('./screens/state-handles/state-handle-screen.js'), 'StateHandleScreen'),
  ),
  page(
    '/messages',
    lazyRouteComponent(() => import('./screens/messages/messages-screen.js'), 'MessagesScreen'),
  ),
  page(
    '/messages/$messageId',
    lazyRouteComponent(() => import('./screens/messages/message-screen.js'), 'MessageScreen'),
  ),
  page(
    '/agents',
    lazyRouteComponent(() => import('./screens/agents/agents-screen.js'), 'AgentsScreen'),
  ),
  page(
    '/new-agent',
    lazyRouteComponent(() => import('./screens/agents/new-agent-screen.js'), 'NewAgentScreen'),
  ),
  page(
    '/agents/$slug',
    lazyRouteComponent(() => import('./screens/agents/agent-screen.js'), 'AgentScreen'),
  ),
  page(
    '/webhooks',
    lazyRouteComponent(() => import('./screens/webhooks/webhooks-screen.js'), 'WebhooksScreen'),
  ),
  page(
    '/webhooks/$webhookId',
    lazyRouteComponent(() => import('./screens/webhooks/webhook-screen.js'), 'WebhookScreen'),
  ),
  page(
    '/tool-hooks',
    lazyRouteComponent(() => import('./screens/tool-hooks/tool-hooks-screen.js'), 'ToolHooksScreen'),
  ),
  page(
    '/tool-hooks/$hookId',
    lazyRouteComponent(() => import('./screens/tool-hooks/tool-hook-screen.js'), 'ToolHookScreen'),
  ),
  page(
    '/connections',
    lazyRouteComponent(() => import('./screens/connections/connections-screen.js'), 'ConnectionsScreen'),
  ),
  page(
    '/connections/$connectionId',
    lazyRouteComponent(() => import('./screens/connections/connection-screen.js'), 'ConnectionScreen'),
  ),
  page(
    '/mcp-servers',
    lazyRouteComponent(() => import('./screens/mcp-servers/mcp-servers-screen.js'), 'McpServersScreen'),
  ),
  page(
    '/mcp-servers/$serverId',
    lazyRouteComponent(() => import('./screens/mcp-servers/mcp-server-screen.js'), 'McpServerScreen'),
  ),
  page(
    '/sql-profiles',
    lazyRouteComponent(() => import('./screens/sql-profiles/sql-profiles-screen.js'), 'SqlProfilesScreen'),
  ),
  page(
    '/sql-profiles/$profileId',
    lazyRouteComponent(() => import('./screens/sql-profiles/sql-profile-screen.js'), 'SqlProfileScreen'),
  ),
  page(
    '/models',
    lazyRouteComponent(() => import('./screens/models/models-screen.js'), 'ModelsScreen'),
  ),
  page(
    '/playground',
    lazyRouteComponent(() => import('./screens/playground/playground-screen.js'), 'PlaygroundScreen'),
  ),
  page(
    '/payments',
    lazyRouteComponent(() => import('./screens/payments/payments-screen.js'), 'PaymentsScreen'),
  ),
  page(
    '/uncharged',
    lazyRouteComponent(() => import('./screens/uncharged/uncharged-screen.js'), 'UnchargedScreen'),
  ),
  page(
    '/statements',
    lazyRouteComponent(() => import('./screens/statements/statements-screen.js'), 'StatementsScreen'),
  ),
  page(
    '/statements/$month',
    lazyRouteComponent(() => import('./screens/statements/statement-screen.js'), 'StatementScreen'),
  ),
  page(
    '/money',
    lazyRouteComponent(() => import('./screens/money/money-screen.js'), 'MoneyScreen'),
  ),
  page(
    '/money/statements',
    lazyRouteComponent(() => import('./screens/statements/account-statements-screen.js'), 'AccountStatementsScreen'),
  ),
  page(
    '/money/statements/$month',
    lazyRouteComponent(() => import('./screens/statements/account-statement-screen.js'), 'AccountStatementScreen'),
  ),
  page(
    '/members',
    lazyRouteComponent(() => import('./screens/members/members-screen.js'), 'MembersScreen'),
  ),
  page(
    '/sign-ins',
    lazyRouteComponent(() => import('./screens/sign-ins/sign-ins-screen.js'), 'SignInsScreen'),
  ),
  page(
    '/audit',
    lazyRouteComponent(() => import('./screens/audit/audit-screen.js'), 'AuditScreen'),
  ),
  page(
    '/settings',
    lazyRouteComponent(() => import('./screens/settings/settings-screen.js'), 'SettingsScreen'),
  ),
] as const;

const outside = [signIn, invitation, forgotPassword, resetPassword, device, home] as const;
export const router = createRouter({
  routeTree: root.addChildren([...outside, project.addChildren([...pages])]),
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** Loads all pages once the first one is shown: a lost connection, or a new version of the service, must not take them away. */
export function loadPagesAhead(): void {
  const { saveData = false } = (navigator as { connection?: { saveData?: boolean } }).connection ?? {};
  if (saveData) return;
  for (const { options } of pages) void (options.component as ReturnType<typeof lazyRouteComponent>)?.preload?.();
}

async function requireSession({ href }: { href: string }): Promise<void> {
  if ((await readAccessToken()) === undefined) throw redirect({ to: '/sign-in', search: { to: href } });
}

function readTexts(search: Record<string, unknown>): TextSearch {
  return Object.fromEntries(TEXT_FIELDS.map((name) => [name, readText(search[name])]));
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readOffset(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}
