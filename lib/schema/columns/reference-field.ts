// The fields of columns with references: one identifier, or a list of identifiers. Whether the records exist is
// checked inside the commit: operations/references/.

import { MAX_REFERENCES } from '../../shared/limits.ts'
import type { JsonValue } from '../values.ts'
import { accept, type Access, type Field, field, refuse } from '../field.ts'
import type { References } from './column.ts'
import { wholeNumber } from './number-field.ts'

/** `maximum`: the highest number that the type of the column can store. */
export function referenceField(
  access: Access,
  references: References,
  maximum: bigint,
): Field<JsonValue, Access> {
  const safe = BigInt(Number.MAX_SAFE_INTEGER)
  const range = { minimum: 1n, maximum: maximum < safe ? maximum : safe }
  const one = wholeNumber(access, {
    ...range,
    description: `The identifier of ${nameOf(references)}.`,
  })
  if (!references.isMany) return one

  const isRequired = access === 'required'
  const description = `Identifiers, each of ${nameOf(references)}, in this order and without duplicates. A text such as "3,7" is also accepted.`
  const schema = {
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: Number(range.maximum) },
    ...(isRequired && { minItems: 1 }),
    maxItems: MAX_REFERENCES,
    uniqueItems: true,
  }
  // Without a value the list is empty, so a list is never null.
  const options = { description, initial: [], isNullable: false, isClearable: !isRequired }
  return field<readonly JsonValue[], Access, typeof options>(
    access,
    schema,
    'integers',
    options,
    (sent) => {
      const value: unknown = typeof sent === 'string' ? splitIds(sent) : sent
      if (!Array.isArray(value)) return refuse('must be a list of identifiers: [1, 2]')
      if (isRequired && value.length === 0) return refuse('must have at least one identifier')
      if (value.length > MAX_REFERENCES)
        return refuse(`may have at most ${MAX_REFERENCES.toLocaleString('en')} identifiers`)
      const ids: JsonValue[] = []
      for (const item of value) {
        const checked = one.check(item)
        if (!checked.ok) return refuse(`has an element that ${checked.detail}`)
        ids.push(checked.value)
      }
      return new Set(ids).size === ids.length ? accept(ids) : refuse('must not name a record twice')
    },
  )
}

/** The form of a list in CSV files and form fields: 3,7 or 3 7. */
function splitIds(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '')
}

/** The target in descriptions and messages. */
function nameOf({ object, module_id: id, accept: types }: References): string {
  if (object === 'asset_file')
    return types === null ? 'an asset file' : `an asset file of the type ${types.join(' or ')}`
  return `an entry of ${object} ${id}`
}
