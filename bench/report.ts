// Formats the results of a run as Markdown tables.

import type { Form, FormResult, Summary, Targets } from './measure.ts'
import type { Memory } from './processes.ts'
import { COLD_SECONDS, WRITES_PER_SECOND } from './settings.ts'

/** Results of one scenario in one form. */
export interface Result extends FormResult {
  readonly name: string
  readonly title: string
  readonly connections: number
  readonly addresses: number
  readonly targets?: Targets
}

/** One figure of this server beside PocketBase's; lower is better. */
export interface Pair {
  readonly name: string
  readonly own: number
  readonly other: number
  readonly unit: string
  /** Maximum permitted value. */
  readonly most?: number
}

export interface Fact {
  readonly name: string
  readonly value: number
  readonly unit: string
}

export interface Report {
  readonly commit: string
  /** Node version, cores, date. */
  readonly machine: string
  readonly results: readonly Result[]
  /** The same scenarios, compared with PocketBase instead of a limit. */
  readonly peers: readonly Result[]
  readonly pairs: readonly Pair[]
  readonly facts: readonly Fact[]
}

export const FORMS: readonly Form[] = ['warm', 'mixed', 'cold']

const FORM_TITLES: Readonly<Record<Form, string>> = {
  warm: 'Warm',
  mixed: `Beside ${WRITES_PER_SECOND} writes a second in the same table`,
  cold: `The first ${COLD_SECONDS} seconds after a start`,
}

/** Maximum growth of the p99 during writes, for scenarios with a target for `mixed`. */
const MOST_P99 = 3

export function toMarkdown(report: Report): string {
  const { results, peers, pairs, facts } = report
  if (isEmpty(report)) return NOT_MEASURED
  const parts = [`Commit ${report.commit}, ${report.machine}.`]
  for (const form of FORMS) {
    const rows = results.filter((result) => result.form === form && result.addresses > 1)
    if (rows.length > 0) parts.push(`### ${FORM_TITLES[form]}`, formTable(form, rows, results))
  }
  if (peers.length + pairs.length > 0)
    parts.push('### Beside PocketBase', BESIDE_POCKETBASE, peersTable(peers, pairs))
  for (const form of FORMS) {
    const rows = results.filter((result) => result.form === form && result.addresses === 1)
    const title = `### One address. ${FORM_TITLES[form]}`
    if (rows.length > 0) parts.push(title, formTable(form, rows, results))
  }
  if (facts.length > 0) {
    const rows = facts.map(({ name, value, unit }) => [name, `${number(value)} ${unit}`.trim()])
    parts.push('### Other figures', table(['what', 'figure'], rows))
  }
  parts.push('### Missed targets', missesTable(report))
  return parts.join('\n\n')
}

const BESIDE_POCKETBASE =
  'Writes of cms-server are on disk before the response; PocketBase syncs nothing. All columns of cms-server and the titles of PocketBase have an index.'

export const NOT_MEASURED = 'Nothing was measured yet.'

export function isEmpty({ results, peers, pairs, facts }: Report): boolean {
  return [results, peers, pairs, facts].every((found) => found.length === 0)
}

type Column = readonly [head: string, cell: (result: Result) => string]

function formTable(form: Form, rows: readonly Result[], all: readonly Result[]): string {
  const columns = form === 'mixed' ? mixedColumns(all) : ALONE
  return tableOf(columns, rows)
}

const COMMON: readonly Column[] = [
  ['CPU µs (limit)', ({ own, other }) => beside(number(own.cpuUs), other && number(other.cpuUs))],
  ['RssAnon (RSS) before → after, MiB', ({ own }) => memoryText(own)],
  ['errors', ({ own }) => String(own.errors)],
]

const ALONE: readonly Column[] = [
  ['what', ({ title }) => title],
  ['connections', ({ connections }) => String(connections)],
  ['per second', ({ own }) => number(own.perSecond)],
  ['spread', ({ own }) => `${number(own.low)} to ${number(own.high)}`],
  ['limit', ({ other }) => (other === undefined ? '' : number(other.perSecond))],
  ['ratio', ratioText],
  ['p50 / p99 ms', ({ own }) => waits(own)],
  ...COMMON,
  ['rows alone', ({ rows }) => (rows === undefined ? '' : number(rows.perSecond))],
  ['by', ({ own }) => own.generator],
]

function mixedColumns(all: readonly Result[]): readonly Column[] {
  return [
    ['what', ({ title }) => title],
    ['per second', ({ own }) => number(own.perSecond)],
    ['of warm', (result) => share(ofWarm(result, all)?.rate)],
    ['limit alone', ({ other }) => (other === undefined ? '' : number(other.perSecond))],
    ['ratio', ratioText],
    ['p50 / p99 ms', ({ own }) => waits(own)],
    ['p99 of warm', (result) => times(ofWarm(result, all)?.p99)],
    ['writes a second, p99 ms', ({ own }) => writesText(own)],
    ...COMMON,
  ]
}

function peersTable(peers: readonly Result[], pairs: readonly Pair[]): string {
  const columns: readonly Column[] = [
    ['what', ({ title }) => title],
    ['form', ({ form }) => form],
    ['cms-server', ({ own }) => number(own.perSecond)],
    ['PocketBase', ({ other }) => (other === undefined ? '' : number(other.perSecond))],
    ['ratio', ratioText],
    ['target', (result) => targetText(result, peers)],
    ['p50 / p99 ms (PocketBase)', ({ own, other }) => beside(waits(own), other && waits(other))],
    [
      'CPU µs (PocketBase)',
      ({ own, other }) => beside(number(own.cpuUs), other && number(other.cpuUs)),
    ],
    [
      'writes a second, p99 ms (PocketBase)',
      ({ own, other }) => beside(writesText(own), other && writesText(other)),
    ],
    [
      'RssAnon (RSS) after, MiB: cms-server / PocketBase',
      ({ own, other }) => `${after(own)} / ${other === undefined ? '' : after(other)}`,
    ],
    [
      'errors (PocketBase)',
      ({ own, other }) => beside(String(own.errors), other && String(other.errors)),
    ],
    ['by', ({ own }) => own.generator],
  ]
  const rows = pairs.map(({ name, own, other, unit, most }) => [
    name,
    '',
    `${number(own)} ${unit}`,
    `${number(other)} ${unit}`,
    (own / other).toFixed(2),
    most === undefined ? '' : `at most ${most} ${unit}: ${verdict(own <= most)}`,
  ])
  return tableOf(columns, peers, rows)
}

/** All results below their targets. */
export function missesTable({ results, peers, pairs }: Report): string {
  const misses = [results, peers].flatMap((all) =>
    all.flatMap((result) =>
      goalsOf(result, all)
        .filter(({ isMet }) => !isMet)
        .map(({ wanted, reached }) => [placeOf(result), FORM_TITLES[result.form], wanted, reached]),
    ),
  )
  const over = pairs
    .filter(({ own, most }) => most !== undefined && own > most)
    .map(({ name, own, most, unit }) => [name, '', `at most ${most} ${unit}`, number(own)])
  const rows = [...misses, ...over]
  return rows.length === 0 ? 'Nothing.' : table(['what', 'form', 'target', 'reached'], rows)
}

function placeOf({ title, name, addresses }: Result): string {
  const where = name.startsWith('peers/') ? ', beside PocketBase' : ''
  return `${title}${where}${addresses === 1 ? ', one address' : ''}`
}

interface Goal {
  readonly wanted: string
  readonly reached: string
  readonly isMet: boolean
}

function goalsOf(result: Result, all: readonly Result[]): readonly Goal[] {
  const least = result.targets?.[result.form]
  if (least === undefined) return []
  if (result.form !== 'mixed') {
    const ratio = ratioOf(result)
    if (ratio === undefined) return []
    return [{ wanted: `≥ ${least} times`, reached: ratio.toFixed(2), isMet: ratio >= least }]
  }
  const warm = ofWarm(result, all)
  if (warm === undefined) return []
  const { rate, p99 } = warm
  return [
    { wanted: `≥ ${least} of warm`, reached: rate.toFixed(2), isMet: rate >= least },
    { wanted: `p99 ≤ ${MOST_P99} × warm`, reached: times(p99), isMet: p99 <= MOST_P99 },
  ]
}

function targetText(result: Result, all: readonly Result[]): string {
  return goalsOf(result, all)
    .map(({ wanted, reached, isMet }) => `${wanted}: ${verdict(isMet)} (${reached})`)
    .join('; ')
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : '**missed**'
}

/** The share of the server's own rate that remains during writes, and the growth of its p99. */
export function ofWarm(
  { name, addresses, own }: Result,
  all: readonly Result[],
): { readonly rate: number; readonly p99: number } | undefined {
  const warm = all.find(
    (item) => item.form === 'warm' && item.name === name && item.addresses === addresses,
  )?.own
  return warm && { rate: own.perSecond / warm.perSecond, p99: own.p99 / warm.p99 }
}

export function ratioOf({ own, other }: Result): number | undefined {
  return other && own.perSecond / other.perSecond
}

function ratioText(result: Result): string {
  return share(ratioOf(result))
}

function share(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(2)
}

function times(value: number | undefined): string {
  return value === undefined ? '' : `${number(value)} ×`
}

export function waits({ p50, p99 }: Summary): string {
  return `${number(p50)} / ${number(p99)}`
}

function writesText({ writes }: Summary): string {
  if (writes === undefined) return ''
  const failed = writes.errors === 0 ? '' : `, ${writes.errors} errors`
  return `${number(writes.reached)}, ${number(writes.p99)}${failed}`
}

function beside(own: string, other: string | undefined): string {
  return other === undefined || other === '' ? own : `${own} (${other})`
}

function memoryText({ memory }: Summary): string {
  return memory === undefined ? '' : `${mib(memory.before)} → ${mib(memory.after)}`
}

function after({ memory }: Summary): string {
  return memory === undefined ? '' : mib(memory.after)
}

function mib({ anon, rss }: Memory): string {
  return `${anon} (${rss})`
}

export function memoryFact(name: string, { anon, rss }: Memory): Fact {
  return { name, value: anon, unit: `MiB RssAnon (RSS ${rss})` }
}

function tableOf(
  columns: readonly Column[],
  results: readonly Result[],
  more: readonly (readonly string[])[] = [],
): string {
  const rows = results.map((result) => columns.map(([, cell]) => cell(result)))
  const filled = more.map((row) => columns.map((_, at) => row[at] ?? ''))
  return table(
    columns.map(([head]) => head),
    [...rows, ...filled],
  )
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

export function number(value: number): string {
  return value < 100 ? String(Number(value.toFixed(1))) : Math.round(value).toLocaleString('en')
}

const FLAGGED = 0.05

/**
 * Scenarios that changed by more than 5 % since an earlier run. Scenarios with a limit are compared
 * by their ratio to the limit, because absolute figures vary with the machine.
 */
export function compare(before: Report, now: Report): string {
  const keyOf = ({ name, addresses, form }: Result): string => `${name} ${addresses} ${form}`
  const known = new Map([...before.results, ...before.peers].map((item) => [keyOf(item), item]))
  const rows = [...now.results, ...now.peers].flatMap((result) => {
    const old = known.get(keyOf(result))
    if (old === undefined) return []
    const [was, is] = [ratioOf(old) ?? old.own.perSecond, ratioOf(result) ?? result.own.perSecond]
    const change = is / was - 1
    if (Math.abs(change) <= FLAGGED) return []
    const figure = result.other === undefined ? number : (value: number) => value.toFixed(2)
    const percent = `${(change * 100).toFixed(0)} %`
    const sign = change < 0 ? 'SLOWER' : 'faster'
    return [[sign, placeOf(result), result.form, figure(was), figure(is), percent]]
  })
  const since = `since commit ${before.commit}, ${before.machine}`
  if (rows.length === 0) return `Nothing changed by more than 5 % ${since}.`
  const head = ['', 'what', 'form', 'was', 'is', 'change']
  return `Changed by more than 5 % ${since}:\n\n${table(head, rows)}`
}
