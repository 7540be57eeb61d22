// The live, the staged and the latest version in words. Each links to its version.
//
//   <VersionNumbers file={file} />

import { Fragment } from 'preact'
import { pathOf } from '../../client/address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { type StatusFacts, versionsOf } from '../../ui/file-status.ts'

export function VersionNumbers({
  file,
}: {
  readonly file: StatusFacts & { readonly asset_file_id: number }
}) {
  const speech = useTexts()
  return (
    <span class="version-numbers">
      {versionsOf(file, speech).map(({ text, version }, at) => (
        <Fragment key={text}>
          {at > 0 && ' · '}
          <a href={versionPath(file.asset_file_id, version)}>{text}</a>
        </Fragment>
      ))}
    </span>
  )
}

/** Path of a file page, optionally with a version. */
export function versionPath(fileId: number, version?: number): string {
  const path = pathOf(`/content/file/${fileId}`)
  return version === undefined ? path : `${path}?version=${version}`
}
