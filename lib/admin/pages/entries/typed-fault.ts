// Checks typed values before they are sent: JSON, and numbers that could mean two values.

import { fill } from '../../texts/fill.ts'
import type { Speech } from '../../texts/use-texts.ts'
import { pageMark, withPoint } from './decimal-mark.ts'
import { type EntryField, isDecimal } from './fields.ts'
import { jsonFault } from './json-fault.ts'

export function typedFault(field: EntryField, typed: string, t: Speech['t']): string | undefined {
  if (isDecimal(field) && withPoint(typed, pageMark()) === undefined)
    return fill(t.entries.form.ambiguousNumber, { text: typed.trim() })
  return jsonFault(field, typed, t)
}
