// A thumbnail of a file, loaded when it scrolls into view. The server makes small pictures; other images are shown from
// their bytes, SVG from a signed URL, videos as the frame at one second, and other files as an icon.
//
//   <Thumbnail file={file} mayRead={grants.has('modify')} />

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { thumbHashToDataURL } from 'thumbhash'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { ticketFor } from '../../client/download.ts'
import { PICTURE_TYPES } from '../../../shared/picture-parameters.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { type FileRecord, versionAddress } from './records.ts'

/** The fields of a file that a thumbnail needs. Files that come with an entry have no more. */
export type PicturedFile = Pick<
  FileRecord,
  'asset_file_id' | 'name' | 'url' | 'mime_type' | 'size' | 'thumbhash' | 'version' | 'live_version'
>

export interface ThumbnailProps {
  readonly file: PicturedFile
  /** Without this permission, the thumbnail shows the live version. */
  readonly mayRead: boolean
}

const MIB = 1024 * 1024
const MOST_BYTES = 8 * MIB

/** Types that browsers render as an image even when opened directly. */
const PIXELS: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/x-icon',
  'image/vnd.microsoft.icon',
])

const SVG = 'image/svg+xml'

/** A tile, and a tile on a dense screen. */
const TILE_SIDE = 240
const DENSE_TILE_SIDE = 480

export function isImage({ mime_type: type }: Pick<FileRecord, 'mime_type'>): boolean {
  return PIXELS.has(type) || type === SVG
}

export function Thumbnail({ file, mayRead }: ThumbnailProps) {
  const box = useRef<HTMLDivElement>(null)
  const [isInSight, setIsInSight] = useState(false)
  const version = mayRead ? file.version : file.live_version
  const isFilm = file.mime_type.startsWith('video/')
  const Shown = isFilm ? FilmImage : file.mime_type === SVG ? DrawnImage : BytesImage
  const isSmall = isResized(file) || file.size <= MOST_BYTES
  const isShown = (isFilm || (isImage(file) && isSmall)) && version !== null
  useEffect(() => {
    if (box.current === null || !isShown) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsInSight(true)
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [isShown])

  return (
    <div ref={box} class="thumbnail">
      {isShown && isInSight ? (
        <Shown file={file} version={version} mayRead={mayRead} />
      ) : (
        <Placeholder file={file} />
      )}
    </div>
  )
}

interface ShownProps extends ThumbnailProps {
  readonly version: number
}

/** Renders the bytes of a version; shows a placeholder until they are loaded, or if they are not an image. */
function BytesImage({ file, version, mayRead }: ShownProps) {
  const side = devicePixelRatio > 1 ? DENSE_TILE_SIDE : TILE_SIDE
  const { address, drop } = useImage({ file, version, mayRead, side })
  if (address === undefined) return <Placeholder file={file} />
  return <img src={address} alt={''} onError={drop} />
}

/** A blurred picture from the few bytes of the thumbhash; an icon for a file without one. */
function Placeholder({ file }: Pick<ThumbnailProps, 'file'>) {
  const { thumbhash: hash } = file
  const address = useMemo(
    () => (hash === null ? undefined : thumbHashToDataURL(Uint8Array.from(atob(hash), byteOf))),
    [hash],
  )
  if (address === undefined) return <Icon name={iconOf(file)} />
  return <img src={address} alt={''} />
}

function byteOf(character: string): number {
  return character.charCodeAt(0)
}

interface ImageProps extends ShownProps {
  /** The longest side, in pixels of the screen. */
  readonly side: number
}

/** The address of an image in memory; undefined until it is loaded, or if it cannot be shown. */
export function useImage({ file, version, mayRead, side }: ImageProps) {
  const api = useApi()
  const [address, setAddress] = useState<string>()
  const { asset_file_id: id, mime_type: type } = file
  useEffect(() => {
    const gone = new AbortController()
    let made: string | undefined
    readImage(api, { file, version, mayRead, side }, gone.signal)
      .then((bytes) => {
        if (gone.signal.aborted) return
        made = URL.createObjectURL(bytes)
        setAddress(made)
      })
      // The icon stays.
      .catch(() => undefined)
    return () => {
      gone.abort()
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [id, version, type])
  return { address, drop: () => setAddress(undefined) }
}

/** Falls back to the original if the server cannot resize it. */
async function readImage(
  api: Api,
  { side, ...wanted }: Wanted & { readonly file: PicturedFile; readonly side: number },
  signal: AbortSignal,
): Promise<Blob> {
  const { file, version, mayRead } = wanted
  if (isResized(file)) {
    const query = { ...(mayRead && { version }), ...boxOf(side) }
    const path = { number: file.asset_file_id, name: addressNameOf(file, mayRead) }
    const asked = { signal, params: { path, query }, parseAs: 'blob' } as const
    const found = await dataOf(api.GET('/file/{number}/{name}', asked)).catch((error: unknown) => {
      if (signal.aborted || file.size > MOST_BYTES) throw error
      return undefined
    })
    if (found !== undefined) return found
  }
  const bytes = await readBytes(api, wanted, signal)
  return new Blob([bytes], { type: file.mime_type })
}

function boxOf(side: number) {
  return { width: side, height: side, fit: 'inside', format: 'webp' } as const
}

/** Whether the server makes smaller pictures of the file. */
export function isResized({ mime_type: type }: Pick<FileRecord, 'mime_type'>): boolean {
  return PICTURE_TYPES.includes(type)
}

/** Returns a signed URL; undefined until it is available. */
function useSignedAddress({ file, version, mayRead }: ShownProps) {
  const api = useApi()
  const [address, setAddress] = useState<string>()
  const path = versionAddress({ file, version, mayRead })
  useEffect(() => {
    const gone = new AbortController()
    ticketFor(api, path).then(
      (url) => !gone.signal.aborted && setAddress(url),
      // The icon stays.
      () => undefined,
    )
    return () => gone.abort()
  }, [path])
  return { address, drop: () => setAddress(undefined) }
}

/**
 * Opened in its own window, an SVG is a document. The server sends its URL with a sandbox; as a blob: URL, it would
 * run in this origin.
 */
function DrawnImage(props: ShownProps) {
  const { address, drop } = useSignedAddress(props)
  if (address === undefined) return <Icon name="image" />
  return <img src={address} alt={''} onError={drop} />
}

/** The first second of many videos is black. */
const MOMENT = '#t=1'

/** Renders a video frame. The browser loads only the data that the frame needs. */
function FilmImage(props: ShownProps) {
  const { address, drop } = useSignedAddress(props)
  if (address === undefined) return <Icon name="film" />
  return (
    <video
      src={address + MOMENT}
      preload="metadata"
      muted
      playsInline
      disablePictureInPicture
      tabIndex={-1}
      aria-hidden="true"
      onError={drop}
    />
  )
}

interface Wanted {
  readonly file: Pick<FileRecord, 'asset_file_id' | 'name'>
  readonly version: number
  readonly mayRead: boolean
}

/** Reads any version if the user may modify the file, otherwise the live version. */
export async function readBytes(api: Api, wanted: Wanted, signal: AbortSignal): Promise<Blob> {
  // A response without bytes is typed as undefined.
  const bytes: Blob | undefined = await readAnswer(api, wanted, signal)
  return bytes ?? new Blob()
}

/** The name in the address: the name of the live version for users who may not read others. */
function addressNameOf({ name, url }: PicturedFile, mayRead: boolean): string {
  return mayRead ? name : decodeURIComponent(url.slice(url.lastIndexOf('/') + 1))
}

function readAnswer(
  api: Api,
  { file: { asset_file_id: id, name }, version, mayRead }: Wanted,
  signal: AbortSignal,
): Promise<Blob> {
  if (!mayRead) {
    const path = { number: id, name }
    return dataOf(api.GET('/file/{number}/{name}', { signal, params: { path }, parseAs: 'blob' }))
  }
  const path = { id, version }
  return dataOf(
    api.GET('/asset_file/{id}/versions/{version}/content', {
      signal,
      params: { path },
      parseAs: 'blob',
    }),
  )
}

const KINDS: readonly (readonly [RegExp, IconName])[] = [
  [/^image\//, 'image'],
  [/^video\//, 'film'],
  [/^audio\//, 'music'],
  [/html|xml|json|javascript|css/, 'code'],
  [/^text\/|pdf/, 'text'],
]

export function iconOf({ mime_type: type }: Pick<FileRecord, 'mime_type'>): IconName {
  return KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'file'
}
