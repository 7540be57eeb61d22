// What a run found: as tables in Markdown, as a picture, and compared with an earlier run.

export interface Result {
  readonly name: string
  readonly title: string
  readonly connections: number
  readonly perSecond: number
  /** Of the rounds. */
  readonly low: number
  readonly high: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Of the server, all its threads, for each request. */
  readonly cpuUs: number
  /** What the generator could send, were there nothing but itself on its core. */
  readonly generatorPerSecond: number
  readonly errors: number
  /** By another generator, which takes less of the machine; undefined where it is not here, or cannot. */
  readonly wrk: { readonly perSecond: number; readonly limitPerSecond: number } | undefined
  readonly limit: Reached | undefined
  /** The same rows in LMDB alone. */
  readonly rows?: Reached | undefined
  /** Resident memory of the server in MiB, maps of files not counted. */
  readonly memory: { readonly before: number; readonly after: number }
}

interface Reached {
  readonly perSecond: number
  readonly cpuUs: number
}

export interface Fact {
  readonly name: string
  readonly value: number
  readonly unit: string
}

export interface Report {
  /** Commit, Node version, cores, date. */
  readonly machine: string
  readonly results: readonly Result[]
  readonly facts: readonly Fact[]
}

const HEAD = [
  'what',
  'connections',
  'per second',
  'spread',
  'limit',
  'ratio',
  'p50 / p99 ms',
  'CPU µs (limit)',
  'memory MiB',
  'errors',
  'generator alone',
  'by wrk (ratio)',
]

export function toMarkdown({ machine, results, facts }: Report): string {
  const parts = [machine]
  if (results.length > 0) parts.push(table(HEAD, results.map(cellsOf)))
  if (facts.length > 0) {
    const rows = facts.map(({ name, value, unit }) => [name, `${number(value)} ${unit}`])
    parts.push(table(['what', 'figure'], rows))
  }
  return parts.join('\n\n')
}

function cellsOf(result: Result): string[] {
  const { limit, memory, wrk } = result
  return [
    result.title,
    String(result.connections),
    number(result.perSecond),
    `${number(result.low)} to ${number(result.high)}`,
    limit === undefined ? '' : number(limit.perSecond),
    limit === undefined ? '' : ratioOf(result).toFixed(2),
    `${result.p50} / ${result.p99}`,
    limit === undefined ? number(result.cpuUs) : `${number(result.cpuUs)} (${number(limit.cpuUs)})`,
    `${memory.before} → ${memory.after}`,
    String(result.errors),
    number(result.generatorPerSecond),
    wrk === undefined
      ? ''
      : `${number(wrk.perSecond)} (${(wrk.perSecond / wrk.limitPerSecond).toFixed(2)})`,
  ]
}

function ratioOf({ perSecond, limit }: Result): number {
  return limit === undefined ? Number.NaN : perSecond / limit.perSecond
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

export function number(value: number): string {
  return value < 100 ? String(Number(value.toFixed(1))) : Math.round(value).toLocaleString('en')
}

const FLAGGED = 0.05

/**
 * Scenarios that changed by more than 5 % since an earlier run: by the ratio to their limit where there
 * is one, because absolute figures move with the machine.
 */
export function compare(before: Report, after: Report): string {
  const known = new Map(before.results.map((result) => [result.name, result]))
  const rows = after.results.flatMap((result) => {
    const old = known.get(result.name)
    if (old === undefined) return []
    const isRatio = old.limit !== undefined && result.limit !== undefined
    const [was, is] = isRatio ? [ratioOf(old), ratioOf(result)] : [old.perSecond, result.perSecond]
    const change = is / was - 1
    if (Math.abs(change) <= FLAGGED) return []
    const verdict = change < 0 ? 'SLOWER' : 'faster'
    const figure = (value: number): string => (isRatio ? value.toFixed(2) : number(value))
    return [[verdict, result.title, figure(was), figure(is), `${(change * 100).toFixed(0)} %`]]
  })
  if (rows.length === 0) return `Nothing changed by more than 5 % since ${before.machine}.`
  return `Changed by more than 5 % since ${before.machine}:\n\n${table(['', 'what', 'was', 'is', 'change'], rows)}`
}

const BAR = { left: 300, width: 420, height: 18, gap: 8, top: 48 }

/** Each figure with a limit as a bar: the share of the limit that the server reaches. */
export function toSvg({ machine, results }: Report): string {
  const bars = results.filter(({ limit }) => limit !== undefined)
  const height = BAR.top + bars.length * (BAR.height + BAR.gap) + 16
  const most = Math.max(1, ...bars.map(ratioOf))
  const scale = (ratio: number): number => Math.round((ratio / most) * BAR.width)
  const limitX = BAR.left + scale(1)
  const lines = bars.map((result, at) => {
    const y = BAR.top + at * (BAR.height + BAR.gap)
    const ratio = ratioOf(result)
    return [
      `<text x="${BAR.left - 10}" y="${y + 14}" text-anchor="end">${escape(result.title)}</text>`,
      `<rect x="${BAR.left}" y="${y}" width="${scale(ratio)}" height="${BAR.height}" rx="3" fill="#2f6f9f"/>`,
      `<text x="${BAR.left + scale(ratio) + 8}" y="${y + 14}">${ratio.toFixed(2)} · ${number(result.perSecond)}/s</text>`,
    ].join('')
  })
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#333">`,
    `<rect width="860" height="${height}" fill="#fff"/>`,
    `<text x="10" y="22" font-size="14">Share of the limit: bare node:http, or the raw file system (${escape(machine)})</text>`,
    `<line x1="${limitX}" y1="32" x2="${limitX}" y2="${height - 8}" stroke="#c33" stroke-dasharray="4 3"/>`,
    `<text x="${limitX}" y="44" text-anchor="middle" fill="#c33" font-size="11">limit</text>`,
    ...lines,
    '</svg>',
  ].join('\n')}\n`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
