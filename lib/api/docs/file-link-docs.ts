// OpenAPI descriptions of the links to files.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { assetFile } from '../../schema/asset-file.ts'
import { fileLink } from '../../schema/file-link.ts'
import { jsonAnswer, jsonBody, otherAnswer } from '../../docs/answers.ts'
import { BODY_LIMITS } from '../../docs/body-limits.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { examplePage, exampleRecord } from '../../docs/examples.ts'
import { IF_MATCH, newestFirstParameters } from '../../docs/parameters.ts'
import { closed, createSchema, pageSchema, schemaRef } from '../../docs/schemas.ts'
import { BYTES_ANSWERS, BYTES_HEADERS, RANGE_PARAMETERS } from './asset-file-docs.ts'
import { PICTURE_PROBLEMS, PUBLIC_PICTURE_QUERY } from './picture-docs.ts'

const TAG = assetFile.name

const EXPIRES_IN: SchemaObject = {
  type: 'string',
  description:
    'How long the link works: 7d, 12h, 15m, 90s or a number of seconds; at most 90d, and 30d for the state preview. Default: 1d. The link of a key never outlasts the key.',
}

function bodySchema(): SchemaObject {
  const { properties, ...schema } = createSchema(fileLink)
  return closed({ ...schema, properties: { ...properties, expires_in: EXPIRES_IN } })
}

export const MAKE_LINK: EndpointDocs = {
  tag: TAG,
  operationId: 'make_asset_file_link',
  description:
    'For people without a key, such as a print shop or a customer. A link to the live version needs the grant view. A link to the staged version or to the preview of the site needs modify, stage or publish. A link to a numbered version needs modify. The link returns what its creator may read at the time of the request: it stops working ' +
    'when the key or the user that created it is deleted, disabled or expired or has lost the grant, and when the file is deleted. A link that ' +
    'a signed-in user creates does not end with the session. The address cannot be guessed and must be kept secret. ' +
    'With the state preview, the address is on the host of the site of the file: the link shows the site as POST /api/v2/preview does, and works while the file is on that site.',
  body: {
    ...jsonBody({
      schema: bodySchema(),
      example: { ...fileLink.example?.create, expires_in: '7d' },
      limit: BODY_LIMITS.json,
    }),
    required: false,
  },
  answers: {
    201: jsonAnswer('The link with its address.', {
      schema: schemaRef(fileLink.name),
      example: exampleRecord(fileLink),
      headers: ['ETag'],
    }),
  },
  problems: [409],
}

export const LIST_LINKS: EndpointDocs = {
  tag: TAG,
  operationId: 'list_asset_file_links',
  description:
    'Newest first. A key sees the links that it created. A signed-in user also sees the links of the keys of the user. The grant admin in the folder shows ' +
    'all links to the file.',
  parameters: newestFirstParameters(),
  answers: {
    200: jsonAnswer('One page.', {
      schema: pageSchema(fileLink.name, schemaRef(fileLink.name)),
      example: examplePage(fileLink.name, exampleRecord(fileLink)),
      headers: ['Link', 'X-Total'],
    }),
  },
}

export const REVOKE_LINK: EndpointDocs = {
  tag: TAG,
  operationId: 'revoke_asset_file_link',
  description: 'The link stops working at once. A key that sees a link in the list can revoke it.',
  parameters: [IF_MATCH],
  answers: { 204: { description: 'The link is revoked.' } },
}

const ROBOTS = 'X-Robots-Tag'

export const READ_LINK: EndpointDocs = {
  tag: 'upload and download',
  operationId: 'read_link',
  description:
    'Also served as /link/…, outside /api/v2. The header Authorization, other query parameters and the name in the address are ignored. Every request with a token that is ' +
    'wrong, expired or revoked, or shows nothing now, gets the same 404; a browser that opens the address gets a page. A browser that loads a script, a style ' +
    'sheet, a worker or a plug-in with a link (header Sec-Fetch-Dest) gets 403 ticket-as-code.',
  parameters: [...PUBLIC_PICTURE_QUERY, ...RANGE_PARAMETERS],
  answers: {
    ...BYTES_ANSWERS,
    200: otherAnswer('The bytes.', '*/*', [...BYTES_HEADERS, ROBOTS]),
    206: otherAnswer('The bytes of the range.', '*/*', [...BYTES_HEADERS, 'Content-Range', ROBOTS]),
  },
  problems: PICTURE_PROBLEMS,
  codes: ['ticket-as-code'],
}
