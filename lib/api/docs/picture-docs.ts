// OpenAPI descriptions of the parameters that ask for a picture in another size or format.

import type { ParameterObject, SchemaObject } from 'openapi3-ts/oas31'
import { queryParameter } from '../../docs/parameters.ts'
import {
  FOCUS_PATTERN,
  MAX_PICTURE_SIDE,
  PICTURE_FITS,
  PICTURE_FORMATS,
  PICTURE_WIDTHS,
} from '../../shared/picture-parameters.ts'

const SIDE: SchemaObject = { type: 'integer', minimum: 1, maximum: MAX_PICTURE_SIDE }

/** Parameters that ask for a form of a picture. */
export const PICTURE_QUERY: readonly ParameterObject[] = [
  queryParameter(
    'width',
    `Width of a picture in pixels; the picture is never enlarged. Without a key, one of ${PICTURE_WIDTHS.join(', ')}, only with format.`,
    SIDE,
  ),
  queryParameter('height', 'Height of a picture in pixels.', SIDE),
  queryParameter(
    'fit',
    'With width and height: cover (default) crops the picture, contain adds a border, inside keeps the picture within both.',
    { type: 'string', enum: [...PICTURE_FITS] },
  ),
  queryParameter(
    'format',
    'Format of a picture. auto (default): WebP if the header Accept names it, otherwise JPEG, PNG or GIF.',
    { type: 'string', enum: [...PICTURE_FORMATS] },
  ),
  queryParameter('quality', 'Quality of a picture, not for png.', {
    type: 'integer',
    minimum: 1,
    maximum: 100,
  }),
  queryParameter(
    'focus',
    'The point that a crop keeps, as "x,y" from 0 to 1. Default: the focus of the file, or the center.',
    { type: 'string', pattern: FOCUS_PATTERN.source },
  ),
  queryParameter(
    'preset',
    'A set of these parameters by its name (--picture-presets); not together with the others.',
    { type: 'string' },
  ),
]

/** The parameters that need no key. */
export const PUBLIC_PICTURE_QUERY = PICTURE_QUERY.filter(({ name }) =>
  ['width', 'format', 'preset'].includes(name),
)

export const PICTURE_PROBLEMS = [412, 416, 422, 429, 501] as const
