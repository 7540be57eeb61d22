// Query parameters of downloads that ask for a picture in another size or format.

import { CmsError } from '../../base/errors.ts'
import { namesType } from '../../http/accept.ts'
import { whilePresent } from '../../http/client-disconnect.ts'
import type { Context } from '../../operations/context.ts'
import type { Download } from '../../operations/files/downloads.ts'
import {
  allowedWish,
  formOf,
  isPicture,
  type PictureAsk,
} from '../../operations/files/picture-forms.ts'
import { PICTURE_PARAMETERS, readPictureWish } from '../../shared/picture-parameters.ts'
import { type Request, requireOnce } from './request.ts'

const ASKED = new RegExp(`[?&](?:${PICTURE_PARAMETERS.join('|')})=`)
const ENDING = /\.(?:jpe?g|png|gif|webp|avif)$/i

/** Whether the query of an address of a site may ask for a form of a picture. Elsewhere, a query counts for nothing. */
export function mayAskForPicture(path: string, target: string): boolean {
  return ASKED.test(target) && ENDING.test(path)
}

/** Undefined if no parameter asks for a form. Throws bad-request for values that are not valid. */
export function readPictureAsk({ query, message }: Request): PictureAsk | undefined {
  if (!PICTURE_PARAMETERS.some((name) => query.has(name))) return undefined
  requireOnce(query, PICTURE_PARAMETERS)
  const { preset, ...given } = Object.fromEntries(
    PICTURE_PARAMETERS.flatMap((name) => {
      const text = query.get(name)
      return text === null ? [] : [[name, text]]
    }),
  )
  if (preset !== undefined && Object.keys(given).length > 0)
    throw new CmsError('bad-request', 'Send either preset or the other parameters of a picture.')
  const wish = readPictureWish(given)
  if (typeof wish === 'string') throw new CmsError('bad-request', `The parameter ${wish}.`)
  return { wish, preset, acceptsWebp: namesType(message.headers.accept ?? '', 'image/webp') }
}

/** The form of the download that the request asks for. `isPublic`: only presets and some widths are allowed. */
export async function askedForm(
  context: Context,
  request: Request,
  { download, ask, isPublic }: Shown,
): Promise<Download> {
  const wish = allowedWish(context, ask, isPublic)
  const party = String(request.holder.party?.api_key_id ?? '')
  const made = await whilePresent(request.client, (signal) =>
    formOf(context, download, { ...ask, wish }, { party, signal }),
  )
  return (wish.format ?? 'auto') === 'auto' ? { ...made, isByAccept: true } : made
}

/** On a site: a picture in the size that the query asks for. The query of another file counts for nothing. */
export async function pictureOf(
  download: Download,
  request: Request,
  context: Context,
): Promise<Download> {
  const { path = '' } = request.params
  const isAsked = mayAskForPicture(path, request.message.url ?? '') && isPicture(download.version)
  const ask = isAsked ? readPictureAsk(request) : undefined
  if (ask === undefined) return download
  return askedForm(context, request, { download, ask, isPublic: true })
}

interface Shown {
  readonly download: Download
  readonly ask: PictureAsk
  readonly isPublic: boolean
}
