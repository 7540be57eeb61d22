// The short tables. README.md has six rows beside PocketBase; RESULTS.md has one row per scenario, all rows
// beside PocketBase, and the missed targets. FIGURES.md has every figure (report.ts).

import type { Form } from './measure.ts'
import {
  isEmpty,
  missesTable,
  NOT_MEASURED,
  number,
  ofWarm,
  ratioOf,
  type Report,
  type Result,
  table,
} from './report.ts'

/** The rows of README.md, each with a description for readers who do not know the benchmark. */
const SHOWN: Readonly<Record<string, string>> = {
  'peers/record/many': 'read an entry, 10,000 different entries',
  'peers/list/one': 'list the first 25 entries, one address',
  'peers/download-10k': 'download 10 KB, one address',
  'peers/upload-100k': 'upload 100 KB',
  'peers/update': 'update an entry',
  'peers/create': 'create an entry',
}

export function summarize(report: Report): string {
  if (isEmpty(report)) return NOT_MEASURED
  const shown = report.peers.flatMap((result) => {
    const title = SHOWN[result.name]
    return title === undefined ? [] : [{ ...result, title }]
  })
  return [headOf(report), besidePeer(shown, [])].join('\n\n')
}

export function digest(report: Report): string {
  if (isEmpty(report)) return NOT_MEASURED
  const { results, peers, pairs } = report
  const parts = [headOf(report)]
  if (results.length > 0) parts.push('### Requests a second', scenarios(results))
  if (peers.length + pairs.length > 0)
    parts.push('### Compared with PocketBase', besidePeer(peers, pairs))
  return [...parts, '### Missed targets', missesTable(report)].join('\n\n')
}

function headOf({ commit, machine }: Report): string {
  return `Commit ${commit}, ${machine}.`
}

function scenarios(results: readonly Result[]): string {
  const rows = results
    .filter(({ form }) => form === 'warm')
    .toSorted((a, b) => b.addresses - a.addresses)
    .map((warm) => {
      const mixed = sameIn('mixed', warm, results)
      const cold = sameIn('cold', warm, results)
      return [
        `${warm.title}${warm.addresses === 1 ? ', one address' : ''}`,
        number(warm.own.perSecond),
        ratioOf(warm)?.toFixed(2) ?? '',
        number(warm.own.p99),
        mixed === undefined ? '' : mixedText(mixed, results),
        cold === undefined ? '' : number(cold.own.perSecond),
      ]
    })
  const head = ['scenario', 'warm', 'of the limit', 'p99 ms', 'beside writes', 'first seconds']
  return table(head, rows)
}

function besidePeer(peers: readonly Result[], pairs: Report['pairs']): string {
  const rows = peers
    .filter(({ form }) => form === 'warm')
    .map((result) => {
      const mixed = sameIn('mixed', result, peers)
      return [
        result.title,
        `${number(result.own.perSecond)}, ${number(result.own.p99)}`,
        mixed === undefined ? '' : mixedText(mixed, peers),
        number(result.other?.perSecond ?? 0),
        number(mixed?.other?.perSecond ?? 0),
        ratioOf(result)?.toFixed(2) ?? '',
      ]
    })
  const others = pairs
    .filter(({ most }) => most !== undefined)
    .map(({ name, own, other, unit }) => [
      `${name}, ${unit}`,
      number(own),
      '',
      number(other),
      '',
      (own / other).toFixed(2),
    ])
  const head = ['', 'requests/s, p99 ms', 'beside writes', 'PocketBase', 'beside writes', 'ratio']
  return table(head, [...rows, ...others])
}

function sameIn(form: Form, like: Result, all: readonly Result[]): Result | undefined {
  return all.find(
    (item) => item.form === form && item.name === like.name && item.addresses === like.addresses,
  )
}

function mixedText(mixed: Result, all: readonly Result[]): string {
  const share = ofWarm(mixed, all)?.rate.toFixed(2) ?? ''
  return `${number(mixed.own.perSecond)} (${share}), ${number(mixed.own.p99)}`
}
