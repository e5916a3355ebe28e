// Writes the generated core of packages/client from this tree's OpenAPI document: `npx pnpm --filter @tollgate/client run
// generate-core`. With --check it writes nothing, and fails when the core differs.
import { generateCore } from '../../../packages/client/src/generate/generate-core.ts';
import { openApiDocument, openApiRoute } from '../../../services/edge-gateway/src/http/openapi/openapi.ts';
import { routes } from '../../../services/edge-gateway/src/http/routes/index.ts';
import { turnRoutes } from '../../../services/edge-gateway/src/http/turns/index.ts';

const document = openApiDocument([...turnRoutes, ...routes, openApiRoute(routes, turnRoutes)]);
const isCheck = process.argv.includes('--check');
const differing = await generateCore(document, { isCheck });
if (differing.length === 0) console.log('the core of packages/client is up to date');
else if (!isCheck) console.log(`written: ${differing.join(', ')}`);
else {
  console.error(`${differing.join(', ')} differ: run npx pnpm --filter @tollgate/client run generate-core`);
  process.exitCode = 1;
}
