// The records that belong to a key, and the keys that descend from it.

import {
  type ApiKey,
  apiKey,
  type ApiKeySecret,
  apiKeySecret,
  apiKeyUse,
  type GoneMaker,
  goneMaker,
  session,
} from '../../schema/api-key.ts'
import type { Stored } from '../../schema/values.ts'
import type { Reader, Unit } from '../../storage/port.ts'

/** Removes keys, their secrets and their use notes. The maker of a key stays stored while keys descend from it. */
export function removeKeyRecords(unit: Unit, keyIds: readonly number[]): void {
  for (const keyId of keyIds) {
    const stored = unit.get(apiKey.recordType, keyId)
    if (stored === undefined) continue
    removeSecrets(unit, keyId)
    unit.remove(apiKeyUse, keyId)
    unit.remove(apiKey.recordType, keyId)
    unit.put(goneMaker, [keyId], { made_by: stored.value.made_by })
  }
  for (const keyId of keyIds) forgetMaker(unit, keyId)
}

/** From a deleted key upwards, removes makers without descendants. */
function forgetMaker(unit: Unit, keyId: number): void {
  let id: number | null = keyId
  while (id !== null) {
    const stored: Stored<GoneMaker> | undefined = unit.get(goneMaker, id)
    if (stored === undefined || childrenOf(unit, id, 1).length > 0) return
    unit.remove(goneMaker, id)
    id = stored.value.made_by
  }
}

/** Also removes the key's session, whose cookie would issue new secrets. */
export function removeSecrets(unit: Unit, keyId: number): readonly ApiKeySecret[] {
  for (const [cookie] of unit.lookup(session, 'api_key_id', [keyId]))
    unit.remove(session, String(cookie))
  return unit.lookup(apiKeySecret, 'api_key_id', [keyId]).flatMap(([hash]) => {
    const stored = unit.get(apiKeySecret, String(hash))
    unit.remove(apiKeySecret, String(hash))
    return stored === undefined ? [] : [stored.value]
  })
}

/**
 * Visits all existing descendants of a key, makers before the keys that they made. Yields at each, because there may
 * be many.
 */
export function* walkDescendants(
  reader: Reader,
  keyId: number,
  visit: (record: ApiKey) => void,
): Generator<void, void> {
  const makers = [keyId]
  // The list grows during the loop.
  for (const maker of makers) {
    for (const id of childrenOf(reader, maker)) {
      yield
      makers.push(id)
      const stored = reader.get(apiKey.recordType, id)
      if (stored !== undefined) visit(stored.value)
    }
  }
}

export function childrenOf(reader: Reader, keyId: number, limit?: number): readonly number[] {
  return [apiKey.recordType, goneMaker].flatMap((type) =>
    reader.lookup(type, 'made_by', [keyId], limit).map(([id]) => Number(id)),
  )
}
