// The content of a version: image, video, text, or the differences to another version.

import { useApi } from '../../client/client-context.ts'
import { saveFrom, ticketFor } from '../../client/ticket.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useRequest } from '../../ui/use-request.ts'
import type { FileRecord } from '../content/records.ts'
import { isTextFile } from '../content/text-files.ts'
import { iconOf, readBytes } from '../content/thumbnail.tsx'
import { versionAddress } from '../content/version-address.ts'
import { VersionDiff } from './version-diff.tsx'
import { mediaKindOf, VersionMedia } from './version-media.tsx'

export interface VersionViewProps {
  readonly file: FileRecord
  readonly version: number
  /** The version to compare with. */
  readonly against: number | undefined
  readonly mayRead: boolean
  readonly onShow: (version: number, against?: number) => void
}

export function VersionView(props: VersionViewProps) {
  const { file, version, against, mayRead, onShow } = props
  const { t, formats } = useTexts()
  const number = formats.number(version)
  const title =
    against === undefined
      ? fill(t.file.version, { version: number })
      : fill(t.file.compared, {
          old: formats.number(Math.min(version, against)),
          new: formats.number(Math.max(version, against)),
        })
  const mayDownload = mayRead || version === file.live_version
  return (
    <section class="version-view card" aria-label={title}>
      <header class="version-head">
        <h2>{title}</h2>
        {against !== undefined && (
          <Button icon="close" onPress={() => onShow(version)}>
            {t.file.endCompare}
          </Button>
        )}
        {mayDownload && <Download {...props} />}
      </header>
      <div class="version-body">
        {against === undefined ? (
          <Content key={`${file.asset_file_id} ${version}`} {...props} />
        ) : (
          <VersionDiff
            fileId={file.asset_file_id}
            old={Math.min(version, against)}
            new={Math.max(version, against)}
          />
        )}
      </div>
    </section>
  )
}

function Download({ file, version, mayRead }: VersionViewProps) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  async function download(): Promise<void> {
    const path = versionAddress({ file, version, mayRead })
    saveFrom(await ticketFor(api, path), file.name)
  }
  return (
    <Button icon="download" onPress={() => void download().catch(toast.problem)}>
      {t.file.download}
    </Button>
  )
}

const MOST_TEXT = 1024 * 1024

function Content(props: VersionViewProps) {
  const { file, version, mayRead } = props
  const { t } = useTexts()
  if (!mayRead && version !== file.live_version) {
    return (
      <EmptyState icon="eyeOff" title={t.file.notForYou}>
        {t.file.notForYouText}
      </EmptyState>
    )
  }
  if (mediaKindOf(file) !== undefined) return <VersionMedia {...props} />
  if (isTextFile(file) && file.size <= MOST_TEXT) return <Text {...props} />
  return (
    <EmptyState icon={iconOf(file)} title={t.file.noPreview}>
      {t.file.noPreviewText}
    </EmptyState>
  )
}

function Text({ file, version, mayRead }: VersionViewProps) {
  const { t } = useTexts()
  const api = useApi()
  const loaded = useRequest(
    async (signal) => (await readBytes(api, { file, version, mayRead }, signal)).text(),
    [file.asset_file_id, version],
  )
  if (loaded.error !== undefined)
    return <ProblemNotice error={loaded.error} onRetry={loaded.reload} />
  if (loaded.data === undefined) return <Skeleton lines={6} />
  if (loaded.data === '') return <EmptyState icon="text" title={t.file.empty} />
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls this region
    <pre class="version-text" role="group" tabIndex={0} aria-label={t.file.text}>
      {loaded.data}
    </pre>
  )
}
