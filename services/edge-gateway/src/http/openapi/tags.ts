const descriptions: Readonly<Record<string, string>> = {
  'Model responses': 'Ask models in the native format: plain, streamed, or several requests in one call.',
  'Compatible endpoints':
    'Ask models through the client libraries of OpenAI, Anthropic and Google. Errors and headers follow the vendor’s protocol.',
  Images: 'Generate images, and keep or drop the stored files.',
  Runs: 'Start workflow runs, follow their events, and answer their tool calls.',
  Workflows: 'Check workflow specs, and read the schemas of specs and run events.',
  Agents: 'Configure agents with prompts, tools and limits, and run, test or replay them.',
  Compile: 'Turn a plugin or a skill from a repository into a workflow spec.',
  Sessions: 'Keep the messages of a conversation, and the state of its tools.',
  'State handles': 'Storage of the key-value and task tools.',
  Messages: 'Mailboxes of agents and runs.',
  SQL: 'Policies for SQL statements, and their validation.',
  Customers: 'The customers of a project: records, subscriptions and wallets.',
  'Customer self-service': 'Profile, usage, wallet and subscription of the customer of the token.',
  Tiers: 'Plans with models, prices and limits.',
  Payments: 'Checkouts, top-ups and the payment processor’s webhook events.',
  Webhooks: 'Endpoints that receive events; the section “webhooks” of the document has the events.',
  Connections: 'Vendors of models that a project reaches with its own keys.',
  'MCP servers': 'Servers of the Model Context Protocol whose tools agents and runs may call.',
  'Tool hooks': 'Endpoints that execute tools, or that permit and change tool calls.',
  Account: 'The owner account: prepaid balance, usage, cards and audit log.',
  Projects: 'Projects of the owner account.',
  Members: 'Who may do what in a project, and invitations to it.',
  'API keys': 'Secret and publishable keys.',
  Authentication: 'Sign-in of owners and devices, and tokens of customers.',
  Meta: 'The status of the service, and this document.',
};

/** Describes the tags in the order of the reference, and those without a description at the end. */
export function describeTags(used: ReadonlySet<string>): { name: string; description: string }[] {
  const known = Object.keys(descriptions).filter((name) => used.has(name));
  const others = [...used].filter((name) => !(name in descriptions)).sort();
  return [...known, ...others].map((name) => ({ name, description: descriptions[name] ?? `${name}.` }));
}
