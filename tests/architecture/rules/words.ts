// Words that the project does not use: in comments, in strings that are sentences, in documents and in the names of types.
// Text in “typographic quotation marks” is a quotation and may use any word; so may `code`.
import ts from 'typescript-api';
import { parse, readLine, type SourceFile, type Violation, walk } from '../source-files.js';

/** Each avoided word or phrase, and what to write. */
const AVOIDED: readonly [RegExp, string][] = [
  [/\b(told|tells|telling|tell of)\b/i, 'report, emit, log, return'],
  [/\b(is|are|was|were|be|been|being|goes) away\b/i, 'unavailable'],
  [/\b(is|are|was|were|has|have|had|be|been) gone\b/i, 'unavailable, deleted, lost'],
  [/\banew\b/i, 'again'],
  [/\b(go|goes|going|went) on\b/i, 'continue, resume'],
  [/\bbegun\b/i, 'started'],
  [/\b(stands|stand|stood)\b(?!-| for\b)/i, 'is, is located'],
  [/\bmeanwhile\b/i, 'in the meantime, or a condition'],
  [/\bunder way\b/i, 'in progress, running'],
  [/\b(the|this|whole|our|of) house\b/i, 'the service, Tollgate'],
  [/\bwhoever\b|(^|[.;:] )Whatever\b/i, 'the actor'],
  [/\bnobody\b/i, 'no caller, no client'],
  [/\bone that\b/i, 'the noun'],
  [/(^|[.:;(] +)What (is|was|has|are|a|the|it|they)\b(?![^.]*\?)/, 'the noun'],
  [/\bthe own\b/i, 'your, its'],
  [/\b(wish|wishes|wished)\b/i, 'input, request'],
  [/\b(a|an|the|its|every|each|no|of|one|two|these|waiting|late|processor's|double's) notices?\b/i, 'webhook event'],
  [/\b(bench|stand-in|test double)s?\b/i, 'harness, fake'],
  [/\bcancell(ed|ing)\b/i, 'canceled, canceling'],
  [/\b(behaviou?r)\b(?<!behavior)/i, 'behavior'],
  [/\be-mails?\b/i, 'email'],
  [
    /\b\w*(recogni|authori|seriali|normali|initiali|optimi|organi|summari|prioriti|minimi|utili|materiali|synchroni)s(e|es|ed|ing|ation)\b/i,
    '-ize',
  ],
  [
    /\b(analys(e|ed|es|ing)|learnt|misspelt|whilst|amongst|judgement|acknowledgement|artefacts?)\b/i,
    'the American spelling',
  ],
  [/\b(label|model|signal|travel)l(ed|ing)\b|\bgrey\b|\bfulfil\b/i, 'the American spelling'],
  [/\b(colour|favour|honour|centre|licence|catalogue|neighbour)\w*\b/i, 'the American spelling'],
];

const TYPE_NAMES: readonly [RegExp, string][] = [
  [/Wish$/, 'Input'],
  [/Facts$/, 'Info'],
  [/Terms$/, 'Snapshot'],
  [/Ending$/, 'Outcome'],
  [/^Made$/, 'Result'],
  [/^Given$/, 'Overrides'],
  [/(Bench|World|Double|StandIn|House)$/, 'Harness'],
];

export function findAvoidedWords(files: readonly SourceFile[]): Violation[] {
  return files.flatMap((file) =>
    readProse(file).flatMap(({ text, line, isTypeName }) =>
      (isTypeName ? TYPE_NAMES : AVOIDED).flatMap(([pattern, better]) => {
        const match = pattern.exec(isTypeName ? text : withoutQuotations(text));
        return match ? [{ path: file.path, line, message: `“${match[0].trim()}”: write ${better}` }] : [];
      }),
    ),
  );
}

function withoutQuotations(text: string): string {
  return text.replace(/“[^”]*”/g, '').replace(/`[^`]*`/g, '');
}

interface Prose {
  text: string;
  line: number;
  isTypeName?: boolean;
}

function readProse(file: SourceFile): Prose[] {
  if (file.path.endsWith('.md')) return readMarkdown(file.text);
  if (/\.(proto|prisma)$/.test(file.path)) {
    return readLineComments(file.text, /^(?:.*?[;{}]\s*)?\s*\/{2,3}(.*)$/);
  }
  if (/\.(ya?ml|sh)$|\/run$/.test(file.path)) return readLineComments(file.text, /^\s*#(.*)$/);
  return readSource(file);
}

/** Paragraphs are checked line by line; fenced code is not. */
function readMarkdown(text: string): Prose[] {
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    return isCode ? [] : [{ text: line, line: index + 1 }];
  });
}

function readLineComments(text: string, comment: RegExp): Prose[] {
  return text.split('\n').flatMap((line, index) => {
    const match = comment.exec(line);
    return match ? [{ text: match[1] as string, line: index + 1 }] : [];
  });
}

function readSource(file: SourceFile): Prose[] {
  const tree = parse(file);
  const prose: Prose[] = readComments(file.text, tree);
  walk(tree, (node) => {
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node)) {
      if (node.name) prose.push({ text: node.name.text, line: readLine(tree, node.name), isTypeName: true });
    } else if (isSentence(node)) prose.push({ text: literalText(node, tree), line: readLine(tree, node) });
    else if (ts.isJsxText(node)) prose.push({ text: node.text.trim(), line: readLine(tree, node) });
  });
  return prose;
}

function readComments(text: string, tree: ts.SourceFile): Prose[] {
  const prose: Prose[] = [];
  const seen = new Set<number>();
  walk(tree, (node) => {
    // A template's parts and JSX text have no comments of their own.
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of ranges) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      const first = tree.getLineAndCharacterOfPosition(pos).line + 1;
      const lines = text.slice(pos, end).split('\n');
      prose.push(...lines.map((line, index) => ({ text: line.replace(/^[\s/*]+/, ''), line: first + index })));
    }
  });
  return prose;
}

type Literal = ts.StringLiteralLike | ts.TemplateExpression;

/** Words with spaces between them; not SQL and not a single word, which is a code. */
function isSentence(node: ts.Node): node is Literal {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return false;
  if (ts.isTaggedTemplateExpression(node.parent)) return false;
  const text = node.getText();
  return /[a-z]+ [a-z]+/i.test(text) && !/\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER)\b/.test(text);
}

function literalText(node: Literal, tree: ts.SourceFile): string {
  return ts.isStringLiteralLike(node) ? node.text : node.getText(tree).slice(1, -1);
}
