// commits.mjs: checks the messages of the commits since the last tag, at most a hundred: a subject in the imperative of
// at most 72 characters, an empty line, a body. Only commits that were made on top of this check count. `commits.mjs FILE`
// checks the message of a file; it serves as the commit-msg hook of Git.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const COMMITS_MAX = 100;
const SUBJECT_LENGTH_MAX = 72;
const CHECK = '.ci/commits.mjs';
const IMPERATIVES = 'alias bias bring embed exceed feed focus need ping proceed seed shed speed string succeed'.split(
  ' ',
);

const file = process.argv[2];
const faults = file ? faultsOf(withoutComments(readFileSync(file, 'utf8'))) : faultsOfHistory();
for (const fault of faults) console.error(`commit message: ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;

function faultsOfHistory() {
  const added = git('log', '--diff-filter=A', '--format=%H', '--max-count=1', '--', CHECK);
  if (!added) {
    console.log('commit messages: not checked, there is no history');
    return [];
  }
  const tag = git('describe', '--tags', '--abbrev=0');
  const range = [`--ancestry-path`, `${added}..HEAD`, ...(tag ? [`^${tag}`] : [])];
  const hashes = git('log', '--no-merges', `--max-count=${COMMITS_MAX}`, '--format=%H', ...range)
    .split('\n')
    .filter(Boolean);
  return hashes.flatMap((hash) =>
    faultsOf(git('log', '--max-count=1', '--format=%B', hash)).map((fault) => `${hash.slice(0, 10)}: ${fault}`),
  );
}

function faultsOf(message) {
  const [subject, separator, ...body] = message.trim().split('\n');
  const faults = [];
  if (subject.length > SUBJECT_LENGTH_MAX)
    faults.push(`the subject is longer than ${SUBJECT_LENGTH_MAX} characters: ${subject}`);
  if (/^Revert "/.test(subject)) return faults;
  const [, scope, verb] = /^([a-z][\w ,./()-]*): ([a-z][\w-]*)/.exec(subject) ?? [];
  if (!scope) faults.push(`the subject is not of the form "scope: change something": ${subject}`);
  else if (/(ed|ing|[^su]s)$/.test(verb) && !IMPERATIVES.includes(verb))
    faults.push(`"${verb}" is not imperative: ${subject}`);
  if (separator || body.join('').trim() === '')
    faults.push(`after an empty line a body has to give the reason: ${subject}`);
  return faults;
}

function withoutComments(message) {
  return message.replace(/^#.*\n?/gm, '');
}

/** Prints nothing when Git fails: a source archive has no history, and a repository need not have a tag. */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 });
  return status === 0 ? stdout.trim() : '';
}
