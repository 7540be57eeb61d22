// One badge with the live, the staged and the latest version. Each number links to its version; the keys l, s and v
// do the same in a file row.
//
//   <VersionNumbers file={file} />

import { pathOf } from '../../client/address.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import type { FileRecord } from './records.ts'

type Shown = Pick<FileRecord, 'asset_file_id' | 'version' | 'live_version' | 'staged_version'>

export function VersionNumbers({ file }: { readonly file: Shown }) {
  const { t } = useTexts()
  return (
    <span class="numbers">
      <Part file={file} kind="live" version={file.live_version} none={t.content.notLive} />
      <Part file={file} kind="staged" version={file.staged_version} none={t.content.notStaged} />
      <Part file={file} kind="latest" version={file.version} none="" />
    </span>
  )
}

interface PartProps {
  readonly file: Shown
  readonly kind: 'live' | 'staged' | 'latest'
  readonly version: number | null
  readonly none: string
}

function Part({ file, kind, version, none }: PartProps) {
  const { t, formats } = useTexts()
  const look = `number number-${kind}`
  if (version === null) {
    return (
      <span class={`${look} number-none`} title={none}>
        <span aria-hidden="true">–</span>
        <span class="unseen">{none}</span>
      </span>
    )
  }
  const label = fill(t.content.numbers[kind], { version: formats.number(version) })
  // Versions older than the latest are highlighted.
  const isBehind = version < file.version
  return (
    <a
      class={isBehind ? `${look} number-behind` : look}
      href={versionPath(file.asset_file_id, version)}
      title={label}
      aria-label={label}
      tabIndex={-1}
    >
      {formats.number(version)}
    </a>
  )
}

/** Path of a file page, optionally with a version. */
export function versionPath(fileId: number, version?: number): string {
  const path = pathOf(`/content/file/${fileId}`)
  return version === undefined ? path : `${path}?version=${version}`
}
