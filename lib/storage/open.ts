// openStorage: the one place that names the engine.

import type { Config } from '../config.ts'
import type { Pool } from '../workers/pool.ts'
import type { EngineOptions, Storage, StorageLimits } from './engine.ts'

export interface StorageOptions {
  readonly config: Pick<Config, 'dataDir'> & Partial<Pick<Config, 'commitTimeoutMs' | 'readOnly'>>
  readonly limits: StorageLimits
  readonly pool: Pool
  /** Called once, when the storage can no longer be trusted: the process must end. */
  readonly onFailure: (cause: unknown) => void
  /** Something could not be done, which the operator has to know of; nothing is lost. */
  readonly onTrouble: EngineOptions['onTrouble']
  /** Called after each commit. */
  readonly onCommit?: EngineOptions['onCommit']
}

/** The engine is loaded when it is chosen, so that another costs nothing. */
export async function openStorage({
  config,
  limits,
  pool,
  onFailure,
  onTrouble,
  onCommit,
}: StorageOptions): Promise<Storage> {
  const { dataDir, commitTimeoutMs, readOnly = false } = config
  const options = { dataDir, commitTimeoutMs, limits, pool, onFailure, onTrouble, onCommit }
  if (readOnly) {
    const { openReading } = await import('./open-reading.ts')
    return openReading(options)
  }
  const { openEmbedded } = await import('./open-embedded.ts')
  return openEmbedded(options)
}
