// New bytes for a file of another type. The type decides how a file is served, so bytes of another type require an
// explicit type.

import { hash } from 'node:crypto'
import type { AssetFile } from '../../schema/asset-file.ts'
import { refuseFaults, refuseField } from '../../schema/check.ts'
import { endingOf, isSameType, isTextType } from '../../schema/media-type.ts'
import type { JsonObject } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import { findLatest } from './versions.ts'

/** Extension of unknown bytes, also used by typeOfName. */
const UNKNOWN = 'bin'

/** Refuses an upload whose file name indicates another type than the file's, unless name and type are sent with it. */
export function requireExplicitType(
  { name, type }: Pick<AssetFile, 'name' | 'type'>,
  fields: JsonObject,
  fileName: string | undefined,
): void {
  const ending = fileName === undefined ? undefined : endingOf(fileName)
  const ownEnding = endingOf(name)
  if (ending === undefined || ending === UNKNOWN) return
  // The file's present name does not indicate its type either.
  if (ending === ownEnding || isSameType(ending, type)) return
  const { name: newName, type: newType } = fields
  if (typeof newType === 'string' && isSameType(newType, type)) return

  const isNameWrong = ownEnding !== undefined && isSameType(ownEnding, type)
  const reason = `must be sent, because the file name ${JSON.stringify(fileName)} indicates another type than ${JSON.stringify(name)} (${type})`
  refuseFaults([
    ...(newName === undefined && isNameWrong
      ? [{ pointer: '/name', detail: `${reason}: name=${fileName}` }]
      : []),
    ...(newType === undefined
      ? [{ pointer: '/type', detail: `${reason}: type=${ending}, or type=${type} to keep it` }]
      : []),
  ])
}

interface PageChange {
  readonly id: number
  /** The file's type when the page is saved. */
  readonly type: string
  /** Whether the body contains the type. */
  readonly isTypeTold: boolean
  readonly text: string
}

/** Refuses a text for an image, a PDF or another binary type. The present text of such a file may be sent back. */
export function requirePageType(reader: Reader, change: PageChange): void {
  const { id, type, isTypeTold, text } = change
  const latest = findLatest(reader, id)
  const isText = isTextType(type) ?? (isTypeTold || latest?.is_text !== false)
  if (isText) return
  const isSame = latest?.size === Buffer.byteLength(text) && latest.sha256 === hash('sha256', text)
  if (!isSame) refuseText(type)
}

/** Like requirePageType, for a new file. */
export function requireTextType(type: string, text: string): void {
  if (text !== '' && isTextType(type) === false) refuseText(type)
}

function refuseText(type: string): never {
  refuseField(
    'pageContent',
    `is text, but the file is of a type without text (${type}): send bytes of this type through POST /upload, or send a text type such as html together with pageContent`,
  )
}
