// Builds the text of the answer for one record.

import type { JsonObject, Stored } from '../schema/values.ts'
import type { Context } from './context.ts'
import { addMembers, presenterOf } from './present.ts'
import { type Showing, type TakePage, viewOf } from './visibility.ts'

export interface TextInput {
  readonly showing: Showing
  readonly stored: Stored
  readonly fields: ReadonlySet<string> | undefined
  readonly extra: JsonObject | undefined
  /** Shows null instead of the attached value. */
  readonly isBare: boolean | undefined
  readonly takePage?: TakePage
}

/** JSON text of one record, with its attached value. */
export async function recordText(
  context: Context,
  { showing, stored, fields, extra, isBare, takePage }: TextInput,
): Promise<string | Uint8Array> {
  const view = viewOf(context)
  const text = addMembers(presenterOf(view, showing, fields)(stored), extra ?? {})
  const { attached } = showing
  if (attached === undefined || fields?.has(attached.field) === false) return text
  const value = isBare === true ? 'null' : await attached.read(context, stored, takePage)
  return addAttached(text, attached.field, value)
}

const END = Buffer.from('}')

/** Replaces null by the value, which is JSON already. */
export function addAttached(
  text: string,
  field: string,
  value: string | Uint8Array,
): string | Uint8Array {
  const base = withoutNull(text, field)
  const start = `${base === '{}' ? '{' : `${base.slice(0, -1)},`}"${field}":`
  if (typeof value === 'string') return `${start}${value}}`
  // Stays with bytes: a text of 16 MiB would be converted back to bytes for the checksum and the socket.
  return Buffer.concat([Buffer.from(start), value, END])
}

/** Inside a string the quotes would be escaped, so the match is always the member. */
function withoutNull(text: string, field: string): string {
  const member = `"${field}":null`
  const at = text.indexOf(member)
  if (at === -1) return text
  const end = at + member.length
  if (text[at - 1] === ',') return text.slice(0, at - 1) + text.slice(end)
  return text.slice(0, at) + text.slice(text[end] === ',' ? end + 1 : end)
}
