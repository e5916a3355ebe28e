// A test title starts with a verb in the third person, reads alone and fits on a line.
import ts from 'typescript-api';
import { parse, readLine, type SourceFile, type Violation, walk } from '../source-files.js';
import { TITLE_VERBS } from './title-verbs.js';

export const TITLE_LENGTH_MAX = 110;

const TEST_CALL = /^(it|test)(\.(only|skip|concurrent|failing))*(\.each\b|$)/;

export function findBadTitles(files: readonly SourceFile[]): Violation[] {
  return files.flatMap((file) =>
    readTitles(file).flatMap(({ title, line }) => {
      const reason = titleProblem(title);
      return reason ? [{ path: file.path, line, message: `${reason}: ${title}` }] : [];
    }),
  );
}

export function titleProblem(title: string): string | undefined {
  if (title.length > TITLE_LENGTH_MAX) return `${title.length} characters`;
  const first = title.split(/\s/, 1)[0] as string;
  return TITLE_VERBS.has(first) ? undefined : 'does not start with a verb in the third person';
}

/** The titles of `it(…)`, `test(…)` and `it.each(…)(…)`; a title that is not a literal is not read. */
export function readTitles(file: SourceFile): { title: string; line: number }[] {
  const tree = parse(file);
  const titles: { title: string; line: number }[] = [];
  walk(tree, (node) => {
    if (!ts.isCallExpression(node) || !TEST_CALL.test(calledName(node, tree))) return;
    const [title] = node.arguments;
    if (!title) return;
    if (ts.isStringLiteralLike(title)) titles.push({ title: title.text, line: readLine(tree, node) });
    else if (ts.isTemplateExpression(title))
      titles.push({ title: title.getText(tree).slice(1, -1), line: readLine(tree, node) });
  });
  return titles;
}

/** `it.each` of `it.each(cases)('title')` and of a tagged table, which are calls of a call. */
function calledName(node: ts.CallExpression, tree: ts.SourceFile): string {
  const callee = node.expression;
  if (ts.isCallExpression(callee)) return callee.expression.getText(tree);
  if (ts.isTaggedTemplateExpression(callee)) return callee.tag.getText(tree);
  const name = callee.getText(tree);
  return name.endsWith('.each') ? '' : name;
}
