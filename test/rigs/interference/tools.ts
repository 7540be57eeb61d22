// The ingredients of requests: identifiers of visible, hidden and missing records, and texts that
// exist on only one of the sites.

import type { ObjectType } from '../../../lib/schema/object.ts'
import type { FieldKind, SearchField } from '../../../lib/schema/values.ts'
import type { Random } from '../random.ts'
import { BEGIN_MS, type Received, type Sent } from './site.ts'
import type { Pair } from './pair.ts'

export interface Tools {
  readonly random: Random
  readonly pair: Pair
  /**
   * Sends the request to both sites, compares the answers, and returns the answer of the first
   * site.
   */
  ask(sent: Sent): Promise<Answer>
  /** True with the probability 1 / `of`. */
  chance(of: number): boolean
  secret(): string
  /** The name of a hidden record, or a new name. */
  name(): string
  id(object: string): number
  folder(): number
  /** The number of a file or a folder. */
  number(): number
  fileName(): string
  /** The address of an existing or missing module. */
  module(): string
  /** The target of a comment. */
  target(): string
}

export interface Answer extends Received {
  /** Undefined if the answer is no JSON. */
  readonly body: any
}

/** Slightly higher than the highest identifiers, so that some do not exist. */
const HIGHEST: Readonly<Record<string, number>> = {
  asset_category: 48,
  asset_file: 46,
  file_group: 14,
  datatable: 30,
  calendar: 14,
  user: 14,
  api_key: 28,
  role: 4,
  webhook: 4,
  comment: 14,
  audit: 200,
}

export function openTools(
  pair: Pair,
  random: Random,
  send: (sent: Sent) => Promise<Received>,
): Tools {
  const { folders, fileIds, movedId } = pair.options.world
  const secrets = [...pair.secrets]
  const addresses = [...pair.addresses]
  const chance = (of: number): boolean => random.below(of) === 0
  const secret = (): string => random.pick(secrets)
  const id = (object: string): number => {
    if (chance(12)) return random.pick([99_999, 777, 1_000_000_007])
    const odd = pair.odd.get(object)
    if (odd !== undefined && chance(3)) return random.pick(odd)
    if (object === 'asset_category' && chance(2)) return random.pick(Object.values(folders))
    if (object === 'asset_file' && chance(2)) return random.pick([...fileIds, movedId])
    return 1 + random.below(HIGHEST[object] ?? 20)
  }
  let made = 0

  return {
    random,
    pair,
    chance,
    secret,
    id,
    async ask(sent) {
      const answer = await send(sent)
      return { ...answer, body: parse(answer.bytes) }
    },
    name() {
      made += 1
      return chance(3) ? `made-${made}` : secret()
    },
    folder: () => (chance(2) ? random.pick([folders.scope, folders.inner]) : id('asset_category')),
    number: () => id(random.pick(['asset_file', 'asset_category'])),
    fileName: () =>
      random.pick([
        'first.html',
        'moved.html',
        'closed.html',
        'bytes.bin',
        `${secret()}.html`,
        `${secret()}.txt`,
      ]),
    module() {
      const { tableId, calendarId } = pair.options.world
      const own = [
        `/api/v2/module/datatable/${tableId}/table`,
        `/api/v2/module/calendar/${calendarId}/dates`,
      ]
      if (chance(2)) return random.pick(own)
      const address = random.pick(addresses)
      const name = secret()
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
      return chance(2) ? address : address.replace(/[^/]+$/, name)
    },
    target() {
      const { tableId, remarks } = pair.options.world
      const targets = [`asset_file/${id('asset_file')}`, `datatable/${tableId}/1`]
      return random.pick([...targets, `datatable/${id('datatable')}/1`, ...remarks.hiddenTargets])
    },
  }
}

export function parse(bytes: Buffer): any {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

/** A prefix of a hidden text, as sent by a client that guesses the text letter by letter. */
export function prefix({ random, secret }: Pick<Tools, 'random' | 'secret'>): string {
  const text = secret()
  return random.below(3) === 0 ? text : text.slice(0, 1 + random.below(text.length))
}

/** A value to compare a field with, sometimes a hidden value. */
export function valueFor(tools: Tools, { kind }: Pick<SearchField, 'kind'>): unknown {
  const { random } = tools
  const VALUES: Readonly<Record<FieldKind, () => unknown>> = {
    string: () =>
      tools.chance(5) ? random.pick(['', 'admin', 'editor', 'html', '/api']) : prefix(tools),
    integer: () => (tools.chance(6) ? null : random.below(50)),
    integers: () => random.below(50),
    number: () => random.below(50),
    decimal: () => `${random.below(50)}.50`,
    boolean: () => tools.chance(2),
    date: () => '2026-03-01',
    uuid: () => `0198c1a2-7b3c-7def-8123-4567890000${10 + random.below(50)}`,
    strings: () => prefix(tools),
    json: () => prefix(tools),
    point: () => null,
    'date-time': () => new Date(BEGIN_MS + random.below(12) * 60_000).toISOString(),
  }
  return VALUES[kind]()
}

/** A condition on a searchable field of the object. */
export function conditionOn(tools: Tools, object: Pick<ObjectType, 'searchable'>): object {
  const { random } = tools
  const [name, field] = random.pick([...object.searchable])
  const value = (): unknown => valueFor(tools, field)
  if (field.kind === 'string' && tools.chance(2)) {
    const text = prefix(tools)
    const condition = random.pick([
      { $startsWith: text },
      { $contains: text },
      { $regex: `^${text}` },
      { $regex: text, $options: 'i' },
      `/${text}/i`,
    ])
    return { [name]: condition }
  }
  const operator = random.pick([
    '$eq',
    '$ne',
    '$gt',
    '$gte',
    '$lt',
    '$lte',
    '$in',
    '$nin',
    '$exists',
  ])
  if (operator === '$in' || operator === '$nin')
    return { [name]: { [operator]: [value(), value()] } }
  if (operator === '$exists') return { [name]: { $exists: tools.chance(2) } }
  return { [name]: { [operator]: value() } }
}

export function addressOf(path: string, query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}
