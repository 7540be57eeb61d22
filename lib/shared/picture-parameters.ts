// Query parameters of downloads that ask for a form of a picture, for the server and for the administration area:
//
//   width, height   pixels, 1 to 3,000
//   fit             with both: cover (default) crops, contain adds a border, inside keeps the whole picture in the box
//   format          auto (default), webp, avif, jpeg or png
//   quality         1 to 100, not for png
//   focus           "x,y": the point that a crop keeps
//   preset          the name of a set of the others (--picture-presets), sent alone

/** Media types of the pictures that the server measures and resizes, as the first bytes of a content indicate them. */
export const PICTURE_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
]

/** Largest width and height of a form of a picture. */
export const MAX_PICTURE_SIDE = 3_000

/** Widths for readers without a key: with any width, they could fill the cache of pictures and keep the server busy. */
export const PICTURE_WIDTHS = [160, 320, 480, 640, 800, 1024, 1280, 1600, 1920, 2560] as const

export const PICTURE_FITS = ['cover', 'contain', 'inside'] as const
export const PICTURE_FORMATS = ['auto', 'webp', 'avif', 'jpeg', 'png'] as const

/** The parameters of a preset. */
export const PICTURE_SETTINGS = ['width', 'height', 'fit', 'format', 'quality', 'focus'] as const
export const PICTURE_PARAMETERS = [...PICTURE_SETTINGS, 'preset'] as const

export interface PictureWish {
  readonly width?: number
  readonly height?: number
  readonly fit?: (typeof PICTURE_FITS)[number]
  readonly format?: (typeof PICTURE_FORMATS)[number]
  readonly quality?: number
  readonly focus?: string
}

/** The point of a picture that a crop keeps; also a field of files. */
export const FOCUS_PATTERN = /^(?:0|0\.\d{1,4}|1|1\.0{1,4}),(?:0|0\.\d{1,4}|1|1\.0{1,4})$/
export const FOCUS_RULE =
  'must be "x,y", two numbers from 0 to 1 with up to four decimals, like "0.5,0.25"'

type Given = Readonly<Partial<Record<(typeof PICTURE_SETTINGS)[number], string>>>

/** The wish that the values of parameters express, or a sentence that says what is wrong with them. */
export function readPictureWish(given: Given): PictureWish | string {
  const { width, height, fit, format, quality, focus } = given
  for (const [name, text, most] of [
    ['width', width, MAX_PICTURE_SIDE],
    ['height', height, MAX_PICTURE_SIDE],
    ['quality', quality, 100],
  ] as const)
    if (text !== undefined && !isCount(text, most))
      return `${name} must be a whole number from 1 to ${most.toLocaleString('en')}`
  const ofFit = PICTURE_FITS.find((each) => each === fit)
  if (fit !== undefined && ofFit === undefined)
    return `fit must be one of ${PICTURE_FITS.join(', ')}`
  const ofFormat = PICTURE_FORMATS.find((each) => each === format)
  if (format !== undefined && ofFormat === undefined)
    return `format must be one of ${PICTURE_FORMATS.join(', ')}`
  if (focus !== undefined && !FOCUS_PATTERN.test(focus)) return `focus ${FOCUS_RULE}`
  return (
    faultTogether(given) ?? {
      ...(width !== undefined && { width: Number(width) }),
      ...(height !== undefined && { height: Number(height) }),
      ...(ofFit !== undefined && { fit: ofFit }),
      ...(ofFormat !== undefined && { format: ofFormat }),
      ...(quality !== undefined && { quality: Number(quality) }),
      ...(focus !== undefined && { focus }),
    }
  )
}

function isCount(text: string, most: number): boolean {
  return /^[1-9]\d{0,3}$/.test(text) && Number(text) <= most
}

function faultTogether({ width, height, fit, format, quality, focus }: Given): string | undefined {
  const hasBox = width !== undefined && height !== undefined
  if (fit !== undefined && !hasBox) return 'fit works only together with width and height'
  if (focus !== undefined && (!hasBox || (fit ?? 'cover') !== 'cover'))
    return 'focus works only with width, height and fit=cover, which crops the picture'
  if (quality !== undefined && format === 'png')
    return 'quality does not work with format=png, which is lossless'
  return undefined
}
