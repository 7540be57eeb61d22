// Links to files: /api/v2/asset_file/{id}/link makes, lists and revokes them, and /link/{token}/{name} shows the file to
// readers without a key.

import { CmsError } from '../base/errors.ts'
import type { Site } from '../config/flag-values.ts'
import { prefersHtml } from '../http/accept.ts'
import { empty, jsonText, type Reply } from '../http/reply.ts'
import { createLink, listLinks, revokeLink } from '../operations/links/file-links.ts'
import { findLinkedFile } from '../operations/files/linked-file.ts'
import { fileLink } from '../schema/file-link.ts'
import { etagOf } from '../schema/record.ts'
import { LIST_LINKS, MAKE_LINK, READ_LINK, REVOKE_LINK } from './docs/file-link-docs.ts'
import { shownReply } from './download.ts'
import { newestFirstReply, readNewestFirst } from './request/newest-first.ts'
import { etagOfText } from './request/record-reply.ts'
import { askedForm, readPictureAsk } from './request/picture-query.ts'
import { refuseCode } from './request/request-ticket.ts'
import {
  readId,
  readPrecondition,
  type Request,
  requireKnownParameters,
} from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const LINKS = '/api/v2/asset_file/:id/link'

/** The response contains the address and input of the client, so compression would reveal the address by the length. */
const SECRET = { 'cache-control': 'no-store, no-transform' }

/** No copy of the file stays where the link was used, and search engines do not list the address. */
const OF_LINK = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' }

const readLinkRoute = defineRoute({
  method: 'GET',
  path: '/link/:token/:name',
  access: ['view'],
  summary: 'Show the file of a link',
  docs: READ_LINK,
  answers: 'bytes',
  isPublic: () => true,
  ignoresKey: true,
  read: (request) => {
    refuseCode(request.message)
    return { token: request.params['token'] ?? '', ask: readPictureAsk(request) }
  },
  run: (context, { token, ask }) => ({ download: findLinkedFile(context, token), ask }),
  reply: async ({ download, ask }, request, context) => {
    if (download === undefined) return noSuchLink(request)
    const shown =
      ask === undefined
        ? download
        : await askedForm(context, request, { download, ask, isPublic: true })
    return asLink(await shownReply(request, shown, context))
  },
})

export const fileLinkRoutes = (sites: readonly Site[]): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: LINKS,
    access: ['view', 'modify', 'stage', 'publish'],
    summary: 'List the links to a file that the key manages',
    docs: LIST_LINKS,
    read: (request) => readNewestFirst(request),
    run: (context, asked) => ({ asked, ...listLinks(context, { ...asked, sites }) }),
    reply: ({ links, ...page }, request) => {
      const texts = links.map((link) => JSON.stringify(link))
      return newestFirstReply(request, { name: fileLink.name, texts, ...page })
    },
  }),
  defineRoute({
    method: 'POST',
    path: LINKS,
    access: ['view', 'modify', 'stage', 'publish'],
    action: 'create',
    summary: 'Create a link that shows a file without a key until the link expires',
    docs: MAKE_LINK,
    read: async (request) => {
      requireKnownParameters(request.query, [])
      const id = readId(request, 'id')
      const given = await request.json(undefined, true)
      return { id, body: given === undefined ? {} : given }
    },
    run: (context, input) => createLink(context, { ...input, sites }),
    // The address is a secret, so a stored response must be encrypted.
    recall: 'secret',
    reply: ({ stored, shown }, request) => {
      const text = JSON.stringify(shown)
      return jsonText(201, text, { ...SECRET, etag: etagOfText(request, etagOf(stored), text) })
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${LINKS}/:link`,
    access: 'key',
    action: 'delete',
    summary: 'Revoke a link',
    docs: REVOKE_LINK,
    read: (request) => {
      requireKnownParameters(request.query, [])
      const precondition = readPrecondition(request)
      return { id: readId(request, 'id'), linkId: readId(request, 'link'), precondition }
    },
    run: (context, input) => revokeLink(context, input),
    reply: () => empty(204),
  }),
  readLinkRoute,
]

const NO_SUCH_LINK =
  'This link does not exist or is no longer valid. Ask the sender for a new link.'

const NO_SUCH_LINK_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Link not valid</title>
<body>
<h1>Link not valid</h1>
<p>${NO_SUCH_LINK}
`

/**
 * One answer for every reason, so that it does not reveal whether the link or the file ever existed. A browser that opens
 * the link gets it as a page.
 */
function noSuchLink({ message }: Request): Reply {
  if (!prefersHtml(message)) throw new CmsError('not-found', NO_SUCH_LINK)
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    ...OF_LINK,
  }
  return { status: 404, headers, body: NO_SUCH_LINK_PAGE }
}

function asLink(reply: Reply): Reply {
  const { again } = reply
  const headers = { ...reply.headers, ...OF_LINK }
  return { ...reply, ...(again && { again: async () => asLink(await again()) }), headers }
}
