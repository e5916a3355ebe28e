import {
  Activity,
  Bot,
  Boxes,
  ChartColumn,
  CircleDollarSign,
  CircleSlash,
  CreditCard,
  FileText,
  KeyRound,
  Layers,
  List,
  type LucideIcon,
  MessagesSquare,
  ScrollText,
  Settings,
  Split,
  SquareTerminal,
  Users,
  Webhook,
  Wrench,
} from 'lucide-react';

/** A page of the navigation. */
export interface Place {
  label: string;
  path: string;
  icon: LucideIcon;
}

export const PLACES: readonly { title: string; places: readonly Place[] }[] = [
  {
    title: 'Watch',
    places: [
      { label: 'Overview', path: 'overview', icon: Activity },
      { label: 'Requests', path: 'requests', icon: List },
      { label: 'Usage', path: 'usage', icon: ChartColumn },
      { label: 'Runs', path: 'runs', icon: Split },
      { label: 'Sessions', path: 'sessions', icon: MessagesSquare },
    ],
  },
  {
    title: 'Sell',
    places: [
      { label: 'Customers', path: 'customers', icon: Users },
      { label: 'Tiers', path: 'tiers', icon: Layers },
      { label: 'Payments', path: 'payments', icon: CreditCard },
      { label: 'Uncharged usage', path: 'uncharged', icon: CircleSlash },
      { label: 'Statements', path: 'statements', icon: FileText },
      { label: 'Money', path: 'money', icon: CircleDollarSign },
    ],
  },
  {
    title: 'Build',
    places: [
      { label: 'Playground', path: 'playground', icon: SquareTerminal },
      { label: 'Models', path: 'models', icon: Boxes },
      { label: 'Agents', path: 'agents', icon: Bot },
      { label: 'Tool hooks', path: 'tool-hooks', icon: Wrench },
      { label: 'Webhooks', path: 'webhooks', icon: Webhook },
      { label: 'API keys', path: 'keys', icon: KeyRound },
    ],
  },
  {
    title: 'Account',
    places: [
      { label: 'Audit log', path: 'audit', icon: ScrollText },
      { label: 'Settings', path: 'settings', icon: Settings },
    ],
  },
];
