// Who may import whom. Run by tests/architecture.
const LAYERS = 'services/[^/]+/src';

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: { pathNot: '/store/generated/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'services-are-islands',
      comment: 'A service calls another through its proto contract, never through its source.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/([^/]+)/', pathNot: '^services/$1/' },
    },
    {
      name: 'packages-know-no-service',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(services|deploy|tests)/' },
    },
    {
      name: 'package-order',
      comment: 'Low packages do not know higher ones.',
      severity: 'error',
      from: { path: '^packages/(errors|money|contracts|api)/' },
      to: { path: '^packages/(rpc|postgres|events|runtime|service|testkit|safe-fetch|spending)/' },
    },
    {
      name: 'catalog-order',
      comment: 'The catalog counts tokens in a thread of the runtime, and knows no other higher package.',
      severity: 'error',
      from: { path: '^packages/catalog/' },
      to: { path: '^packages/(rpc|postgres|events|service|testkit|safe-fetch|spending)/' },
    },
    {
      name: 'runtime-order',
      comment: 'The catalog stands on the runtime, so that the runtime does not know the catalog.',
      severity: 'error',
      from: { path: '^packages/runtime/' },
      to: { path: '^packages/catalog/' },
    },
    {
      name: 'chassis-is-for-services',
      comment: 'Packages are the parts of the chassis; none of them knows it.',
      severity: 'error',
      from: { path: '^packages/(?!service/)' },
      to: { path: '^packages/service/' },
    },
    {
      name: 'audit-knows-no-ledger',
      comment: 'The code that checks the books shares none with the code that writes them.',
      severity: 'error',
      from: { path: '^packages/ledger-audit/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/(?!(ledger-audit|postgres|runtime)/)' },
    },
    {
      name: 'console-is-a-page',
      comment: 'The console is built to files. No code imports it, and from other packages it takes types alone.',
      severity: 'error',
      from: { path: '^(packages|services|deploy|tests)/', pathNot: '^packages/console/' },
      to: { path: '^packages/console/' },
    },
    {
      name: 'console-takes-types-alone',
      severity: 'error',
      from: { path: '^packages/console/' },
      to: { path: '^packages/(?!console/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'testkit-is-for-tests',
      severity: 'error',
      from: { path: '^(packages|services)/', pathNot: '(\\.test\\.ts$|/testing/|^packages/testkit/)' },
      to: { path: '^packages/testkit/' },
    },
    {
      name: 'domain-is-pure',
      comment:
        'Decisions know no input or output: no store, no transport, no database, no node built-in but crypto and assert.',
      severity: 'error',
      from: { path: `^${LAYERS}/domain/`, pathNot: '\\.test\\.ts$' },
      to: {
        path: [
          `^${LAYERS}/(store|operations|execution|grpc|http|consumers|workers|writer|clients|context|server)`,
          '^packages/(rpc|postgres|events)/',
          '^packages/runtime/(?!src/(json/((canonical|exact)-json|json-(bounds|object))|config/parse-url|ids/uuid|secrets/secret-box)\\.ts$)',
          'node_modules/(pg|undici|express|@grpc)',
        ],
      },
    },
    {
      name: 'store-knows-no-operation',
      severity: 'error',
      from: { path: `^${LAYERS}/store/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^${LAYERS}/(operations|execution|grpc|http|consumers|workers)/` },
    },
    {
      name: 'operations-know-no-transport',
      severity: 'error',
      from: { path: `^${LAYERS}/(operations|execution)/`, pathNot: '\\.test\\.ts$' },
      to: { path: [`^${LAYERS}/(grpc|http)/`, 'node_modules/(express|@grpc)'] },
    },
    {
      name: 'only-the-edge-speaks-http',
      severity: 'error',
      from: { path: '^services/(?!edge-gateway)' },
      to: { path: 'node_modules/express/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/(dist|gen|generated)/' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
  },
};
