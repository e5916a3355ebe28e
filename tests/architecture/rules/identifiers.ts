// Names that the project does not use, where code declares them.
import { basename } from 'node:path';
import ts from 'typescript-api';
import { parse, readLine, type SourceFile, type Violation, walk } from '../source-files.js';

/** Names with a missing or a wrong word. */
const FORBIDDEN = new Map([
  ['readAgain', 'retryReads'],
  ['isAway', 'isUnavailable'],
  ['goOn', 'continueWith'],
  ['takeUp', 'resume'],
  ['tellOwner', 'appendEvent'],
  ['LAST_WORDS', 'DRAIN_GRACE'],
  ['LAST_WORDS_MS', 'DRAIN_GRACE_MS'],
  ['UNTOLD', 'INCONCLUSIVE'],
  ['notices', 'webhooks, webhookEvents'],
]);

/** A function with this name cannot be searched for: it starts with a noun that many have. */
const FUNCTION_OF = /[a-z\d]Of$/;
/** `requireOneOf` starts with a verb; “one of” is not a conversion. */
const ONE_OF = /OneOf$/;

const BRITISH =
  /behaviour|colour|favour|honour|neighbour|cancell(ed|ing)|centre|catalogue|licence|(normal|initial|recogn|author|serial|optim|organ|summar|priorit|minim|util|material|synchron)is(e|ing|ation)|(normal|initial|recogn|author|serial|optim|organ|summar|priorit|minim|util|material|synchron)ised|analyse/i;

export function findForbiddenNames(files: readonly SourceFile[]): Violation[] {
  return files.flatMap((file) => {
    const tree = parse(file);
    const found: Violation[] = [];
    if (BRITISH.test(basename(file.path)))
      found.push({ path: file.path, line: 1, message: 'file name: use the American spelling' });
    walk(tree, (node) => {
      const name = declaredName(node);
      const better = name && betterName(name.text, isFunction(node));
      if (better) found.push({ path: file.path, line: readLine(tree, name), message: `${name.text}: ${better}` });
    });
    return found;
  });
}

function betterName(name: string, isOfFunction: boolean): string | undefined {
  const other = FORBIDDEN.get(name);
  if (other) return `write ${other}`;
  if (BRITISH.test(name)) return 'use the American spelling';
  if (isOfFunction && FUNCTION_OF.test(name) && !ONE_OF.test(name)) return 'start with a verb, or write toX';
  return undefined;
}

/** A member that is taken out of an object under its own name, such as `cancelled` of a stream, is not ours. */
function declaredName(node: ts.Node): ts.Identifier | undefined {
  if (ts.isBindingElement(node) && !node.propertyName && ts.isObjectBindingPattern(node.parent)) return undefined;
  if (!isDeclaration(node)) return undefined;
  return node.name && ts.isIdentifier(node.name) ? node.name : undefined;
}

function isDeclaration(node: ts.Node): node is ts.NamedDeclaration {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isBindingElement(node) ||
    ts.isParameter(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  );
}

function isFunction(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) return true;
  if (!ts.isVariableDeclaration(node) && !ts.isPropertyDeclaration(node)) return false;
  const value = node.initializer;
  return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
}
