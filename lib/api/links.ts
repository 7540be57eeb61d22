// Links between pages: the addresses of a text or of stored files that lead nowhere, and the pages that lead to a file or show a menu.

import type { Site } from '../config/flag-values.ts'
import { json, jsonText } from '../http/reply.ts'
import { checkFileLinks } from '../operations/site/file-link-check.ts'
import { checkLinks, type LinkText } from '../operations/site/link-check.ts'
import { findMenuPages, findUses, type UsedOnInput } from '../operations/site/used-on.ts'
import { refuseField } from '../schema/check.ts'
import { MAX_CHECKED_FILES } from '../shared/limits.ts'
import { CHECK_FILE_LINKS, CHECK_LINKS, LIST_MENU_USES, LIST_USES } from './docs/page-link-docs.ts'
import { linkHeader } from './request/list-reply.ts'
import {
  readId,
  readKnownFields,
  readFlag,
  readNumber,
  type Request,
  requireKnownParameters,
} from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

export function pageLinkRoutes(sites: readonly Site[]): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v2/asset_file/:id/used_on',
      access: ['view'],
      summary: 'List the pages, file groups and entries that use a file',
      docs: LIST_USES,
      read: readUses,
      run: (context, input) => findUses(context, sites, input),
      reply: ({ next, isComplete: is_complete, ...uses }, request) => {
        const body = { ...uses, next: next ?? null, is_complete }
        return jsonText(200, JSON.stringify(body), linkHeader(request, next))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v2/file_group/:id/used_on',
      access: ['view'],
      summary: 'List the pages that show a file group as a menu',
      docs: LIST_MENU_USES,
      read: readUses,
      run: (context, input) => findMenuPages(context, sites, input),
      reply: ({ pages, next, isComplete: is_complete }, request) => {
        const body = { pages, next: next ?? null, is_complete }
        return jsonText(200, JSON.stringify(body), linkHeader(request, next))
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/v2/links/check',
      access: ['view'],
      // The method is POST because a text is too long for a URL.
      changesNothing: true,
      summary: 'Find the addresses in a page that lead nowhere',
      docs: CHECK_LINKS,
      read: readText,
      run: (context, input) => checkLinks(context, sites, input),
      reply: (found) => json(200, found),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/v2/links/check_files',
      access: ['modify', 'stage', 'publish'],
      // The method is POST because a list of files is too long for a URL.
      changesNothing: true,
      summary: 'Find the addresses in stored files that would lead nowhere after a publish',
      docs: CHECK_FILE_LINKS,
      read: readFiles,
      run: (context, ids) => checkFileLinks(context, sites, ids),
      reply: (found) => json(200, found),
    }),
  ]
}

function readUses(request: Request): UsedOnInput {
  const { query, limits } = request
  requireKnownParameters(query, ['cursor', 'length', 'shown'])
  const length = readNumber(query, 'length', limits.maxListLength) ?? limits.listLength
  const cursor = query.get('cursor') ?? undefined
  return { id: readId(request, 'id'), length, cursor, isShown: readFlag(query, 'shown') }
}

async function readFiles(request: Request): Promise<readonly number[]> {
  requireKnownParameters(request.query, [])
  const { asset_file_ids: ids } = await readKnownFields(request, ['asset_file_ids'], 'json')
  const isId = (id: unknown): id is number => Number.isSafeInteger(id) && Number(id) > 0
  const given: readonly unknown[] = Array.isArray(ids) ? ids : []
  const found = given.filter(isId)
  if (found.length !== given.length || found.length === 0 || found.length > MAX_CHECKED_FILES)
    refuseField(
      'asset_file_ids',
      `must be a list of 1 to ${MAX_CHECKED_FILES} identifiers of asset files`,
    )
  return found
}

async function readText(request: Request): Promise<LinkText> {
  requireKnownParameters(request.query, [])
  const {
    pageContent: text,
    type,
    parent_category_id: folderId,
  } = await readKnownFields(request, ['pageContent', 'type', 'parent_category_id'], 'page')
  if (typeof text !== 'string') refuseField('pageContent', 'must be text')
  if (typeof type !== 'string') refuseField('type', 'must be text, such as html')
  if (typeof folderId !== 'number' || !Number.isSafeInteger(folderId) || folderId < 1)
    refuseField('parent_category_id', 'must be the identifier of an asset category')
  return { text, type, folderId }
}
