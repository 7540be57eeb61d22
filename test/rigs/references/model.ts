// The plain model of references: two tables as maps, and the rules of deletions on them.

export type Rule = 'RESTRICT' | 'SET NULL' | 'CASCADE'

/** The columns of the second table; the first table has none. */
export const COLUMNS = ['top', 'next', 'all'] as const
export type Column = (typeof COLUMNS)[number]
export type Rules = Readonly<Record<Column, Rule>>

export interface Part {
  top: number | null
  next: number | null
  all: number[]
}

export interface State {
  readonly tops: Set<number>
  readonly parts: Map<number, Part>
}

interface Target {
  readonly table: 'top' | 'part'
  readonly id: number
}

/** The table to which each column refers. */
const TABLE_OF: Readonly<Record<Column, Target['table']>> = {
  top: 'top',
  next: 'part',
  all: 'top',
}

export function isValid({ tops, parts }: State, part: Part): boolean {
  const isTop = (id: number | null): boolean => id === null || tops.has(id)
  return isTop(part.top) && part.all.every(isTop) && (part.next === null || parts.has(part.next))
}

function refersTo(part: Part, column: Column, { table, id }: Target): boolean {
  if (TABLE_OF[column] !== table) return false
  return column === 'all' ? part.all.includes(id) : part[column] === id
}

/** Deletes as the rules say; false, with nothing changed, if a reference forbids it. */
export function remove({ tops, parts }: State, rules: Rules, target: Target): boolean {
  const gone: Target[] = [target]
  const isGone = (id: number): boolean =>
    gone.some((item) => item.table === 'part' && item.id === id)
  for (const item of gone) {
    for (const [id, part] of parts) {
      const isBound = COLUMNS.some(
        (column) => rules[column] === 'CASCADE' && refersTo(part, column, item),
      )
      if (isBound && !isGone(id)) gone.push({ table: 'part', id })
    }
  }
  const left = [...parts].filter(([id]) => !isGone(id)).map(([, part]) => part)
  const isHeld = left.some((part) =>
    COLUMNS.some(
      (column) => rules[column] === 'RESTRICT' && gone.some((item) => refersTo(part, column, item)),
    ),
  )
  if (isHeld) return false
  for (const { table, id } of gone) {
    if (table === 'top') tops.delete(id)
    else parts.delete(id)
  }
  for (const part of left) {
    if (part.top !== null && !tops.has(part.top)) part.top = null
    if (part.next !== null && !parts.has(part.next)) part.next = null
    part.all = part.all.filter((id) => tops.has(id))
  }
  return true
}
