import type { Permission } from '@tollgate/api/identity';
import {
  Activity,
  Archive,
  Bot,
  Boxes,
  Cable,
  ChartColumn,
  CircleDollarSign,
  CircleSlash,
  CreditCard,
  Database,
  FileText,
  KeyRound,
  Layers,
  List,
  type LucideIcon,
  Mail,
  MessagesSquare,
  MonitorSmartphone,
  Plug,
  ScrollText,
  Settings,
  Split,
  SquareTerminal,
  UserCog,
  Users,
  Webhook,
  Wrench,
} from 'lucide-react';

/** A page of the navigation. */
export interface Place {
  label: string;
  path: string;
  icon: LucideIcon;
  /** Left out for roles that lack it. */
  needs?: Permission;
  /** Shows the user's account: left out in projects of other accounts. */
  isOfAccount?: boolean;
}

export const PLACES: readonly { title: string; places: readonly Place[] }[] = [
  {
    title: 'Watch',
    places: [
      { label: 'Overview', path: 'overview', icon: Activity, needs: 'money.read' },
      { label: 'Requests', path: 'requests', icon: List },
      { label: 'Usage', path: 'usage', icon: ChartColumn },
      { label: 'Runs', path: 'runs', icon: Split, needs: 'resources.read' },
      { label: 'Messages', path: 'messages', icon: Mail, needs: 'resources.read' },
      { label: 'Sessions', path: 'sessions', icon: MessagesSquare, needs: 'resources.read' },
      { label: 'State handles', path: 'state-handles', icon: Archive, needs: 'resources.read' },
    ],
  },
  {
    title: 'Sell',
    places: [
      { label: 'Customers', path: 'customers', icon: Users },
      { label: 'Tiers', path: 'tiers', icon: Layers },
      { label: 'Payments', path: 'payments', icon: CreditCard, needs: 'money.read' },
      { label: 'Uncharged usage', path: 'uncharged', icon: CircleSlash, needs: 'requests.read' },
      { label: 'Statements', path: 'statements', icon: FileText, needs: 'money.read' },
      { label: 'Money', path: 'money', icon: CircleDollarSign, needs: 'money.read', isOfAccount: true },
    ],
  },
  {
    title: 'Build',
    places: [
      { label: 'Playground', path: 'playground', icon: SquareTerminal, needs: 'models.use' },
      { label: 'Models', path: 'models', icon: Boxes },
      { label: 'Connections', path: 'connections', icon: Cable, needs: 'resources.read' },
      { label: 'Agents', path: 'agents', icon: Bot, needs: 'resources.read' },
      { label: 'MCP servers', path: 'mcp-servers', icon: Plug, needs: 'resources.read' },
      { label: 'Tool hooks', path: 'tool-hooks', icon: Wrench, needs: 'resources.read' },
      { label: 'SQL profiles', path: 'sql-profiles', icon: Database, needs: 'resources.read' },
      { label: 'Webhooks', path: 'webhooks', icon: Webhook, needs: 'resources.read' },
      { label: 'API keys', path: 'keys', icon: KeyRound, needs: 'keys.read' },
    ],
  },
  {
    title: 'Account',
    places: [
      { label: 'Members', path: 'members', icon: UserCog },
      { label: 'Sign-ins', path: 'sign-ins', icon: MonitorSmartphone },
      { label: 'Audit log', path: 'audit', icon: ScrollText, isOfAccount: true },
      { label: 'Settings', path: 'settings', icon: Settings },
    ],
  },
];
