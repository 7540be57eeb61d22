// Reading one record: who may, and the text of the answer.

import { requireGrant } from '../auth/grants.ts'
import { apiKey } from '../schema/api-key.ts'
import { assetCategory } from '../schema/asset-category.ts'
import { assetFile } from '../schema/asset-file.ts'
import { audit } from '../schema/audit.ts'
import type { ObjectType } from '../schema/object.ts'
import { user } from '../schema/user.ts'
import type { JsonObject, Stored } from '../schema/values.ts'
import { readKey } from './people/api-keys.ts'
import { readPage, type TakePage } from './files/asset-files.ts'
import { requireAuditor } from './trail/audit.ts'
import type { Context } from './context.ts'
import { addMembers, presenterOf } from './present.ts'
import { requireRecord } from './require.ts'
import { requireVisibleUser } from './people/users.ts'

export function readRecord(context: Context, object: ObjectType, id: number): Stored {
  if (object.name === user.name) return requireVisibleUser(context, id)
  if (object.name === apiKey.name) return readKey(context, id)
  if (object.name === audit.name) {
    requireAuditor(context.caller)
    return requireRecord(context.records, audit, id).stored
  }

  const { stored, record } = requireRecord<JsonObject>(context.records, object, id)
  const categoryId = object.name === assetCategory.name ? id : Number(record['parent_category_id'])
  requireGrant(context.records, context.caller, 'view', categoryId)
  return stored
}

export interface TextInput {
  readonly object: ObjectType
  readonly stored: Stored
  readonly fields: ReadonlySet<string> | undefined
  readonly extra: JsonObject | undefined
  readonly withoutPage: boolean | undefined
  readonly takePage?: TakePage
}

/** JSON text of one record; of a file with its page, or null in its place. */
export async function recordText(
  context: Context,
  { object, stored, fields, extra, withoutPage, takePage }: TextInput,
): Promise<string | Uint8Array> {
  const view = { reader: context.records, caller: context.caller, basePath: context.basePath }
  const text = addMembers(presenterOf(view, object, fields)(stored), extra ?? {})
  const wantsPage =
    object.name === assetFile.name && (fields === undefined || fields.has('pageContent'))
  if (!wantsPage) return text
  return addPage(text, withoutPage === true ? 'null' : await readPage(context, stored, takePage))
}

const END = Buffer.from('}')

/** Adds the text of a page, which is JSON already. */
export function addPage(text: string, page: string | Uint8Array): string | Uint8Array {
  const base = text.replace(/,?"pageContent":null(?=[,}])/, '').replace(/^\{,/, '{')
  const start = `${base === '{}' ? '{' : `${base.slice(0, -1)},`}"pageContent":`
  if (typeof page === 'string') return `${start}${page}}`
  // A text of 16 MiB made of these bytes would only become bytes again: for the checksum, and for the socket.
  return Buffer.concat([Buffer.from(start), page, END])
}
