import { expect, it } from '@jest/globals';
import type { SourceFile } from '../source-files.js';
import { findCircles, findUnitTestsWithDatabase } from './imports.js';

const file = (path: string, text: string): SourceFile => ({ path, text });

it('finds a circle of imports, one that is type-only included', () => {
  const files = [
    file('services/a/src/x.ts', "import type { Y } from './sub/y.js';"),
    file('services/a/src/sub/y.ts', "export { z } from './z.js';"),
    file('services/a/src/sub/z.ts', "import { x } from '../x.js';"),
    file('services/a/src/alone.ts', "import { x } from './x.js';"),
  ];
  expect(findCircles(files)).toEqual([
    {
      path: 'services/a/src',
      line: 1,
      message: 'circle of services/a/src/sub/y.ts, services/a/src/sub/z.ts, services/a/src/x.ts',
    },
  ]);
  expect(findCircles(files.slice(1))).toEqual([]);
});

it('finds a unit test that loads generated code or asks for a database', () => {
  const store = file('services/a/src/store/rows.ts', "import { Prisma } from './generated/client.js';");
  const types = file('services/a/src/types.ts', "import type { Prisma } from './store/generated/client.js';");
  const loads = "import { rows } from './store/rows.js';";
  expect(findUnitTestsWithDatabase([store, file('services/a/src/x.test.ts', loads)])).toHaveLength(1);
  expect(findUnitTestsWithDatabase([store, file('services/a/src/x.db.test.ts', loads)])).toEqual([]);
  expect(findUnitTestsWithDatabase([types, file('services/a/src/x.test.ts', "import './types.js';")])).toEqual([]);
  expect(findUnitTestsWithDatabase([file('services/a/src/x.test.ts', 'await testDatabase(import.meta.url);')])).toEqual(
    [{ path: 'services/a/src/x.test.ts', line: 1, message: 'uses a database; name it *.db.test.ts' }],
  );
});
