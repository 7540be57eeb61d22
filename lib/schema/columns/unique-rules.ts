// Reads which columns are unique together: UNIQUE(a, b) between the columns, and ADOdb's KEY or INDEX over several columns.

import { MAX_UNIQUE_COLUMNS, MAX_UNIQUE_GROUPS } from '../../shared/limits.ts'
import { closest } from '../message-text.ts'
import type { Fields } from '../object.ts'
import type { RuleItem } from './table-rules.ts'
import { show } from './tokens.ts'

type Group = readonly string[]

/** The groups of the items that begin with UNIQUE, and of shared keys. Names are as in `fields`. */
export function readUniques(
  items: readonly RuleItem[],
  shared: readonly Group[],
  fields: Fields,
): readonly Group[] {
  const names = new Map(Object.keys(fields).map((name) => [name.toLowerCase(), name]))
  const groups: Group[] = [...shared]
  for (const item of items) {
    const group = readGroup(item, names, fields)
    if (group === undefined) continue
    const isKnown = groups.some((other) => keyOf(other) === keyOf(group))
    if (isKnown) item.report('the same columns are unique already; remove this UNIQUE')
    else groups.push(group)
    if (groups.length > MAX_UNIQUE_GROUPS)
      item.report(`a module may have at most ${MAX_UNIQUE_GROUPS} groups of unique columns`)
  }
  return groups
}

function keyOf(group: Group): string {
  return group.toSorted().join()
}

function readGroup(
  { tokens, report }: RuleItem,
  names: ReadonlyMap<string, string>,
  fields: Fields,
): Group | undefined {
  const [, inside, rest] = tokens
  if (inside?.isUnclosed === true) return report('the parenthesis is never closed; add ")"')
  if (rest !== undefined)
    return report(`${show(rest.text)} cannot follow UNIQUE(…); add a comma before it`)
  const written = (inside?.text ?? '')
    .split(',')
    .map((name) => name.trim().replace(/^(["`])(.*)\1$/, '$2'))
  const group: string[] = []
  for (const text of written) {
    const name = names.get(text.toLowerCase())
    if (name === undefined) {
      const near = closest(text, names.values())
      const hint = near === undefined ? '' : `; did you mean ${near}?`
      return report(`there is no column ${show(text)}${hint}`)
    }
    const { access, isIndexed, search } = fields[name] ?? {}
    if (access === 'assigned')
      return report(`${show(name)} is COMPUTED; write the columns that it is computed from`)
    if (isIndexed !== true || search === 'integers' || search === 'strings')
      return report(
        `${show(name)} has no index for single values, which UNIQUE needs; choose another column`,
      )
    if (group.includes(name)) return report(`${show(name)} is there twice; remove one of them`)
    group.push(name)
  }
  if (group.length === 1)
    return report(
      `UNIQUE(…) needs several columns; write UNIQUE after the column ${show(group[0] ?? '')}`,
    )
  if (group.length > MAX_UNIQUE_COLUMNS)
    return report(`UNIQUE(…) takes at most ${MAX_UNIQUE_COLUMNS} columns`)
  return group
}
