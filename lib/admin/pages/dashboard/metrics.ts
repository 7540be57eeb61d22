// Parses the Prometheus text format: one sample per line, `name{label="value"} 5`. Comments and timestamps are
// ignored.

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  /** NaN without a value. */
  readonly value: number
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g

export function parseMetrics(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value = ''] = LINE.exec(line) ?? []
    return name === undefined ? [] : [{ name, labels: parseLabels(labels), value: numberOf(value) }]
  })
}

function parseLabels(text: string): Readonly<Record<string, string>> {
  const found = [...text.matchAll(LABEL)]
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, unescape(value)]))
}

function unescape(text: string): string {
  return text.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))
}

function numberOf(text: string): number {
  if (/^[+]?inf$/i.test(text)) return Number.POSITIVE_INFINITY
  return /^-inf$/i.test(text) ? Number.NEGATIVE_INFINITY : Number(text)
}
