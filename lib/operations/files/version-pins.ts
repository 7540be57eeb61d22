// Pins of versions, which no rule removes. A change of the pins is no save.

import { type AssetFile, assetFileVersion } from '../../schema/asset-file.ts'
import { refuseField, type Values } from '../../schema/check.ts'
import type { Reader } from '../../storage/port.ts'

export function withoutPins({ pinned_versions: _, ...values }: Values): Values {
  return values
}

/** The file with the pins of a body; throws if a pinned version does not exist after the save. */
export function withPins(
  reader: Reader,
  file: AssetFile,
  { pinned_versions: pins }: Values,
): AssetFile {
  if (pins === undefined) return file
  const missing = ((pins ?? []) as readonly number[]).find(
    (number) => reader.get(assetFileVersion, file.asset_file_id, number) === undefined,
  )
  if (missing !== undefined)
    refuseField('pinned_versions', `has ${missing}, which is not a version of the file`)
  return { ...file, pinned_versions: pins as readonly number[] | null }
}
