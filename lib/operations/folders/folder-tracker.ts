// Sees what is made or moved below a folder while that is being measured, so that nothing can slip in
// between the measuring and the commit. It never hinders a write.

import { chainOf, type FolderReader } from '../../auth/folders.ts'
import { addExtents, type Extent, longest, NO_EXTENT, ofName } from './folder-extent.ts'

export interface FolderWatch {
  /** How far what was made below the folder goes; maybe in a commit that was given up. */
  readonly made: () => Extent
  /** True once a folder was moved there, or got a longer name: what lies below that is not known. */
  readonly hasMoved: () => boolean
  readonly close: () => void
}

interface FolderChange {
  readonly kind: 'made' | 'moved'
  readonly parentId: number
  readonly name: string
}

export interface FolderWatches {
  readonly open: (categoryId: number) => FolderWatch
  /** To be called inside every commit that makes a folder, moves one, or gives one a longer name. */
  readonly notice: (reader: FolderReader, change: FolderChange) => void
  readonly isOpen: () => boolean
  /** Something was made or moved, and nobody can tell where. */
  readonly lose: () => void
}

interface Watching {
  readonly categoryId: number
  made: Extent
  hasMoved: boolean
}

export function openFolderWatches(): FolderWatches {
  const watches = new Set<Watching>()

  return {
    open(categoryId) {
      const watching: Watching = { categoryId, made: NO_EXTENT, hasMoved: false }
      watches.add(watching)
      return {
        made: () => watching.made,
        hasMoved: () => watching.hasMoved,
        close: () => void watches.delete(watching),
      }
    },
    isOpen: () => watches.size > 0,
    lose() {
      for (const watching of watches) watching.hasMoved = true
    },
    notice(reader, { kind, parentId, name }) {
      if (watches.size === 0) return
      let extent = ofName(name)
      for (const folder of chainOf(reader, parentId) ?? []) {
        for (const watching of watches) {
          if (watching.categoryId !== folder.asset_category_id) continue
          if (kind === 'moved') watching.hasMoved = true
          else watching.made = longest(watching.made, extent)
        }
        extent = addExtents(extent, ofName(folder.name))
      }
    },
  }
}
