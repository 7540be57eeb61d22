// POST /api/v2/preview: a link that shows the staged site for a time. preview-pages.ts shows its pages.

import type { Site } from '../config/flag-values.ts'
import { jsonAnswer, jsonBody } from '../docs/answers.ts'
import { BODY_LIMITS } from '../docs/body-limits.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { originOf, type OwnAddress } from '../http/origin.ts'
import { json } from '../http/reply.ts'
import { makePreview, type NewPreview } from '../operations/site/previews.ts'
import { refuseField } from '../schema/check.ts'
import { parseDate } from '../schema/date.ts'
import { parseIdentifier } from '../schema/names.ts'
import { readKnownFields, type Request, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

interface PreviewOptions extends OwnAddress {
  readonly sites: readonly Site[]
}

export function previewRoutes({ sites, baseUrl, proxies }: PreviewOptions): readonly Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/v2/preview',
      access: ['stage', 'modify', 'publish'],
      changesNothing: true,
      summary: 'Create a link that shows the staged site until the link expires',
      docs: MAKE_PREVIEW,
      read: async (request) => ({
        ...(await readPreview(request)),
        areaOrigin: new URL(baseUrl ?? originOf(request.message, proxies)).origin,
      }),
      run: (context, input) => makePreview(context, sites, input),
      // The response contains the token and input of the client, so compression would reveal the token by the length.
      reply: ({ url, site, dateExpires }) =>
        json(
          201,
          { url, site, date_expires: dateExpires },
          { 'cache-control': 'no-store, no-transform' },
        ),
    }),
  ]
}

async function readPreview(request: Request): Promise<Omit<NewPreview, 'areaOrigin'>> {
  requireKnownParameters(request.query, [])
  const known = ['asset_file_id', 'site', 'date_expires']
  const {
    asset_file_id: id,
    site,
    date_expires: date,
  } = await readKnownFields(request, known, 'json')
  const assetFileId = isMissing(id) ? undefined : parseIdentifier(String(id))
  if (!isMissing(id) && assetFileId === undefined)
    refuseField('asset_file_id', 'must be the identifier of a file')
  if (!isMissing(site) && typeof site !== 'string')
    refuseField('site', 'must be the origin of a site, such as https://www.example.org')
  const dateExpires = isMissing(date) ? undefined : parseDate(date)
  if (!isMissing(date) && dateExpires === undefined)
    refuseField('date_expires', 'must be a date: RFC 3339, such as 2026-01-31T12:00:00Z')
  return { assetFileId, site: isMissing(site) ? undefined : site, dateExpires }
}

function isMissing(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

const EXAMPLE_TOKEN = `dGhpcyBpcyBub3QgYSB0b2tlbiBvZiBhIHByZXZpZXc${'A'.repeat(80)}`

const DATE_EXPIRES = {
  type: 'string',
  format: 'date-time',
  description: 'When the link ends: at most 24 hours from now; default: in one hour.',
} as const

const MAKE_PREVIEW: EndpointDocs = {
  tag: 'upload and download',
  operationId: 'make_preview',
  description:
    'The link shows a site of --site-origin as if everything staged were published: the staged version of each file where there is one, ' +
    'otherwise the live version. Links on its pages stay in the preview. Everybody who has the link sees the preview, without a key. It ' +
    'shows only staged versions that this key may read at the time of the request, and ends with the key, with its secret, or with the ' +
    'session. For a preview that outlasts the session, create a link to a file with the state preview: POST /api/v2/asset_file/{id}/link. The pages are never stored by caches, have X-Robots-Tag: noindex, and set no cookie. Without --site-origin: 404. The request ' +
    'changes nothing, so an Idempotency-Key is ignored.',
  body: jsonBody({
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        asset_file_id: {
          type: 'integer',
          format: 'int64',
          minimum: 1,
          description: 'The file whose page the url opens; default: the start of the site.',
        },
        site: {
          type: 'string',
          description:
            'The origin of the site; default: the site that shows the file. Required if there are several sites and no asset_file_id.',
        },
        date_expires: DATE_EXPIRES,
      },
    },
    example: { site: 'https://www.example.org' },
    limit: BODY_LIMITS.json,
  }),
  answers: {
    201: jsonAnswer('The link.', {
      schema: {
        type: 'object',
        required: ['url', 'site', 'date_expires'],
        properties: {
          url: { type: 'string', description: 'The address of the page in the preview.' },
          site: { type: 'string', description: 'The origin of the site.' },
          date_expires: DATE_EXPIRES,
        },
      },
      example: {
        url: `https://www.example.org/~preview/${EXAMPLE_TOKEN}/`,
        site: 'https://www.example.org',
        date_expires: '2026-01-02T04:04:05.000Z',
      },
    }),
  },
  problems: [404],
}
