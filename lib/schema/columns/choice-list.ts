// The kind of field for SET columns: several texts of a list, in the order in which the client sent them.

import type { Column } from './column.ts'
import { listed } from '../message-text.ts'
import { accept, type Access, type Field, field, refuse } from '../field.ts'

/** Refuses texts that are not in the list, and a text that is given twice. */
export function chosen<A extends Access>(
  access: A,
  { values = [], isRequired }: Pick<Column, 'values' | 'isRequired'>,
): Field<readonly string[], A> {
  const schema = {
    type: 'array',
    items: { type: 'string', enum: values },
    ...(isRequired && { minItems: 1 }),
    maxItems: values.length,
    uniqueItems: true,
  }
  const known = new Set(values)
  const rule = `must be a list of ${listed(values)}`
  const options = {
    description: 'Any of the values listed, each at most once.',
    example: values.slice(0, 1),
  }
  return field<readonly string[], A, typeof options>(access, schema, 'strings', options, (sent) => {
    const list: readonly unknown[] = Array.isArray(sent) ? sent : [sent]
    const texts = list.filter((item) => typeof item === 'string' && known.has(item)) as string[]
    if (!Array.isArray(sent) || texts.length < list.length) return refuse(rule)
    // An empty list has no value, as in a search.
    if (isRequired && texts.length === 0) return refuse('must have at least one value')
    return new Set(texts).size === texts.length
      ? accept(texts)
      : refuse('must not have a value twice')
  })
}
