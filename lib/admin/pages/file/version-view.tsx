// The content of a version: image, video, text, or the differences to another version. Media are loaded from a signed
// URL that is valid for five minutes; when it expires, the page asks for a new one.

import { useEffect, useRef, useState } from 'preact/hooks'
import { useApi } from '../../client/client-context.ts'
import { saveFrom, ticketFor } from '../../client/download.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useRequest } from '../../ui/use-request.ts'
import {
  type FileRecord,
  type FolderRecord,
  isTextFile,
  versionAddress,
  type VersionOf,
} from '../content/records.ts'
import { iconOf, isImage, readBytes } from '../content/thumbnail.tsx'
import { MOST_READ, TextView } from './text-view.tsx'
import { VersionDiff } from './version-diff.tsx'

interface VersionViewProps {
  readonly file: FileRecord
  readonly version: number
  /** The version to compare with. */
  readonly against: number | undefined
  readonly mayRead: boolean
  /** The folder of the file with its parents, topmost first. */
  readonly line: readonly FolderRecord[]
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
          <VersionContent key={`${file.asset_file_id} ${version}`} {...props} />
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

export function VersionContent(
  props: Pick<VersionViewProps, 'file' | 'version' | 'mayRead' | 'line'>,
) {
  const { file, version, mayRead } = props
  const { t } = useTexts()
  const isText = isTextFile(file) && file.size <= MOST_READ
  if (!mayRead && version !== file.live_version) {
    return (
      <EmptyState icon="eyeOff" title={t.file.notForYou}>
        {t.file.notForYouText}
      </EmptyState>
    )
  }
  if (mediaKindOf(file) !== undefined) {
    const media = <VersionMedia {...props} />
    return isText ? <TextView {...props} picture={media} /> : media
  }
  if (isText) return <TextView {...props} />
  return (
    <EmptyState icon={iconOf(file)} title={t.file.noPreview}>
      {t.file.noPreviewText}
    </EmptyState>
  )
}

interface VersionMediaProps extends VersionOf {
  readonly file: FileRecord
}

type Kind = 'image' | 'video' | 'audio' | 'pdf'

/** PDF viewers do not work with the sandbox header of file URLs, so they get the bytes, up to this size. */
const MOST_PDF = 64 * 1024 * 1024

/** Undefined for types that browsers cannot show. */
function mediaKindOf(file: FileRecord): Kind | undefined {
  const { mime_type: type, size } = file
  if (isImage(file)) return 'image'
  if (type.startsWith('video/')) return 'video'
  if (type.startsWith('audio/')) return 'audio'
  const hasViewer = navigator.pdfViewerEnabled && size <= MOST_PDF
  return type === 'application/pdf' && hasViewer ? 'pdf' : undefined
}

function VersionMedia(props: VersionMediaProps) {
  return mediaKindOf(props.file) === 'pdf' ? <Pdf {...props} /> : <ByAddress {...props} />
}

function ByAddress(props: VersionMediaProps) {
  const { file } = props
  const { t } = useTexts()
  const { address, error, reload } = useAddress(props)
  const kind = mediaKindOf(file)
  const player = useRef<HTMLMediaElement>(null)
  /** Playback position when the URL expired, and whether a retry has played since. */
  const last = useRef({ seconds: 0, isTried: false })
  const [isBroken, setIsBroken] = useState(false)
  if (error !== undefined) return <ProblemNotice error={error} onRetry={reload} />
  if (isBroken) {
    return (
      <EmptyState icon={iconOf(file)} title={t.file.noPreview}>
        {t.file.noPreviewText}
      </EmptyState>
    )
  }
  if (address === undefined) return <Skeleton lines={6} />

  const onError = (): void => {
    if (last.current.isTried) return setIsBroken(true)
    last.current = { seconds: player.current?.currentTime ?? 0, isTried: true }
    reload()
  }
  if (kind === 'image') {
    return (
      <div class="version-image">
        <img src={address} alt="" onError={onError} />
      </div>
    )
  }
  const Player = kind === 'audio' ? 'audio' : 'video'
  return (
    <div class="version-player">
      <Player
        ref={player as never}
        src={address}
        controls
        preload="metadata"
        aria-label={file.name}
        onLoadedMetadata={({ currentTarget }) => {
          if (last.current.seconds > 0) currentTarget.currentTime = last.current.seconds
        }}
        onTimeUpdate={() => {
          last.current = { ...last.current, isTried: false }
        }}
        onError={onError}
      />
    </div>
  )
}

/** Returns a new signed URL on each request. */
function useAddress(of: VersionOf) {
  const api = useApi()
  const path = versionAddress(of)
  const [round, setRound] = useState(0)
  const loaded = useRequest(async () => ({ round, url: await ticketFor(api, path) }), [path, round])
  const isOld = loaded.data?.round !== round
  return {
    address: isOld ? undefined : loaded.data?.url,
    error: loaded.error,
    reload: () => setRound((count) => count + 1),
  }
}

function Pdf(props: VersionMediaProps) {
  const { file } = props
  const api = useApi()
  const [url, setUrl] = useState<string>()
  const loaded = useRequest((signal) => readBytes(api, props, signal), [props.version])
  useEffect(() => {
    if (loaded.data === undefined) return undefined
    const made = URL.createObjectURL(new Blob([loaded.data], { type: 'application/pdf' }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [loaded.data])
  if (loaded.error !== undefined)
    return <ProblemNotice error={loaded.error} onRetry={loaded.reload} />
  if (url === undefined) return <Skeleton lines={6} />
  return <iframe class="version-pdf" src={url} title={file.name} />
}
