// The files that a cell refers to: thumbnails and names.

import type { PicturedFile } from '../content/thumbnail.tsx'
import { FilePreview } from './reference-preview.tsx'

interface CellFilesProps {
  readonly files: readonly PicturedFile[]
  readonly titles: readonly string[]
}

/** Thumbnails in one cell. */
const MOST = 4

export function CellFiles({ files, titles }: CellFilesProps) {
  return (
    <span class="cell-files">
      {files.slice(0, MOST).map((file) => (
        <FilePreview key={file.asset_file_id} file={file} />
      ))}
      <bdi title={titles.join('\n')}>{titles.join(', ')}</bdi>
    </span>
  )
}
