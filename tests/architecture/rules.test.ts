import { expect, it } from '@jest/globals';
import { exceptions } from './exceptions.js';
import { findViolations, isExcepted, RULES, type Rule, type RuleName } from './rules/index.js';

const names = Object.keys(RULES) as RuleName[];

it.each(names.map((name) => [(RULES[name] as Rule).title, name] as const))(
  'finds that the repository %s',
  (_title, name) => {
    const violations = findViolations(name);
    const excepted = violations.filter(({ path }) => isExcepted(path, exceptions[name]));
    if (excepted.length > 0) console.info(`${name}: ${excepted.length} violations in excepted places`);
    const clean = exceptions[name].filter((place) => !violations.some(({ path }) => isExcepted(path, [place])));
    if (clean.length > 0) console.info(`${name}: clean now, take from exceptions.ts: ${clean.join(', ')}`);
    const others = violations.filter((violation) => !excepted.includes(violation));
    expect(others.map(({ path, line, message }) => `${path}:${line} ${message}`)).toEqual([]);
  },
);
