// The address of a record that a change names.

import { assetFile } from '../../schema/asset-file.ts'
import { fileUrlOf } from '../../schema/file-address.ts'
import { MODULE_KINDS, moduleUrlOf } from '../../schema/module.ts'

interface Addressed {
  readonly object: string
  readonly id: number
  readonly addressName: string
}

/** Null for records without an address. */
export function addressOf(basePath: string, { object, id, addressName }: Addressed): string | null {
  if (object === assetFile.name) return `${basePath}${fileUrlOf(id, addressName)}`
  const kind = MODULE_KINDS.find((name) => name === object)
  return kind === undefined ? null : `${basePath}${moduleUrlOf(kind, id, addressName)}`
}
