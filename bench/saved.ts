// Merges the figures of one commit into bench/results.json. Generates from this file the picture and the
// tables of FIGURES.md, RESULTS.md and README.md, between two marker comments.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toSvg } from './picture.ts'
import { root } from './processes.ts'
import { type Report, toMarkdown } from './report.ts'
import { digest, summarize } from './summary.ts'

/** Results of the parts of a run, by name. */
export type Parts = Readonly<Record<string, Found>>

export type Found = Partial<Pick<Report, 'results' | 'peers' | 'pairs' | 'facts'>>

export interface Saved {
  readonly commit: string
  readonly machine: string
  readonly parts: Parts
}

const FILE = join(root, 'bench/results.json')

export function readSaved(path = FILE): Saved {
  const saved = JSON.parse(readFileSync(path, 'utf8')) as Saved
  if (saved.parts === undefined) throw new Error(`${path} was written by an older benchmark.`)
  return saved
}

/** Results in the order of the names; parts with other names are left out. */
export function toReport({ commit, machine, parts }: Saved, names: readonly string[]): Report {
  const found = names.flatMap((name) => parts[name] ?? [])
  return {
    commit,
    machine,
    results: found.flatMap(({ results }) => results ?? []),
    peers: found.flatMap(({ peers }) => peers ?? []),
    pairs: found.flatMap(({ pairs }) => pairs ?? []),
    facts: found.flatMap(({ facts }) => facts ?? []),
  }
}

/** Merges results of the same commit; results of another commit are dropped. */
export function merge(before: Saved | undefined, now: Saved): Saved {
  if (before?.commit !== now.commit) return now
  return { ...now, parts: { ...before.parts, ...now.parts } }
}

export function save(now: Saved, names: readonly string[]): void {
  const before = existsSync(FILE) ? readSaved() : undefined
  if (before !== undefined && before.commit !== now.commit)
    console.error(`The figures of commit ${before.commit} are dropped.`)
  const saved = merge(before, now)
  writeFileSync(FILE, `${JSON.stringify(saved, null, 1)}\n`)
  const report = toReport(saved, names)
  writeFileSync(join(root, 'bench/results.svg'), toSvg(report))
  for (const [page, text] of Object.entries(madeOf(report))) {
    const path = join(root, page)
    writeFileSync(path, fillIn(readFileSync(path, 'utf8'), text))
  }
}

/** The generated text of each page. */
export function madeOf(report: Report): Readonly<Record<string, string>> {
  return {
    'bench/FIGURES.md': toMarkdown(report),
    'bench/RESULTS.md': digest(report),
    'README.md': summarize(report),
  }
}

const BEGIN = '<!-- figures: npm run bench -- --save writes them -->\n'
const END = '\n<!-- /figures -->'

export function fillIn(page: string, text: string): string {
  return page.replace(`${BEGIN}${filledIn(page)}${END}`, () => `${BEGIN}${text}${END}`)
}

/** The current generated text of a page; throws without markers. */
export function filledIn(page: string): string {
  const [begin, end] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)]
  if (begin < BEGIN.length || end < begin) throw new Error('The page has no place for figures.')
  return page.slice(begin, end)
}
