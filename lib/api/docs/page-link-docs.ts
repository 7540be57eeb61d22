// OpenAPI descriptions of the links between pages.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { jsonAnswer, jsonBody } from '../../docs/answers.ts'
import { BODY_LIMITS } from '../../docs/body-limits.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { lengthParameter, queryParameter } from '../../docs/parameters.ts'
import { LINK_REASONS } from '../../operations/site/link-check.ts'
import { USING_FIELDS } from '../../operations/site/used-on.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { fileGroup } from '../../schema/file-group.ts'
import {
  MAX_CHECKED_FILES,
  MAX_CHECKED_LINKS,
  MAX_DEAD_LINKS,
  MAX_STORED_LINKS,
  MAX_USES,
} from '../../shared/limits.ts'

const REASON: SchemaObject = {
  type: 'string',
  enum: [...LINK_REASONS],
  description:
    'missing: no file is there that the key may see. unpublished: the file is not live under this address. private: the page is in a ' +
    'public folder, and the file or menu is not.',
}
const TARGET: SchemaObject = {
  type: ['integer', 'null'],
  description: 'The file; null if there is none, and for a menu.',
}
const ADDRESS: SchemaObject = {
  type: 'string',
  description:
    'The address without query and fragment; asset_file:N or file_group:N for a shortcode.',
}
const FROM_ONE = { type: 'integer', minimum: 1 } as const
const FROM_ZERO = { type: 'integer', minimum: 0 } as const
const FLAG = { type: 'boolean' } as const
const FOLDER = { type: 'integer', minimum: 1 } as const

const DEAD_LINK: SchemaObject = {
  type: 'object',
  required: ['address', 'offset', 'length', 'line', 'column', 'reason', 'asset_file_id'],
  properties: {
    address: ADDRESS,
    offset: { ...FROM_ZERO, description: 'The place in the text, in UTF-16 code units.' },
    length: { ...FROM_ZERO, description: 'The length of the address in the text.' },
    line: FROM_ONE,
    column: { ...FROM_ONE, description: 'Column in UTF-16 code units.' },
    reason: REASON,
    asset_file_id: TARGET,
  },
}

export const CHECK_LINKS: EndpointDocs = {
  tag: assetFile.name,
  operationId: 'check_links',
  description:
    'Finds the addresses of a page that lead nowhere, before the page is saved: in attributes and styles of html, stml and svg, in links of md, in url(…) and @import ' +
    'of css, and in the shortcodes get_asset_file_url, include and menu. A relative address starts at the folder of the page. An address that begins with / starts at ' +
    'the root of the site that shows the folder, and is not checked without such a site; /file/{number}/{name} is always checked. Other hosts are never ' +
    `contacted. Up to ${MAX_CHECKED_LINKS.toLocaleString('en')} addresses are checked, and ${MAX_DEAD_LINKS} listed. The request writes nothing, so an ` +
    'Idempotency-Key is ignored.',
  body: jsonBody({
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['pageContent', 'type', 'parent_category_id'],
      properties: {
        pageContent: { type: 'string' },
        type: { type: 'string', description: 'html, stml, svg, md or css.' },
        parent_category_id: { ...FOLDER, description: 'The folder of the page.' },
      },
    },
    example: { pageContent: '<a href="misspelt.html">', type: 'html', parent_category_id: 1 },
    limit: BODY_LIMITS.page,
  }),
  answers: {
    200: jsonAnswer('The addresses that lead nowhere, in the order of the text.', {
      schema: {
        type: 'object',
        required: ['links', 'is_complete'],
        properties: {
          links: { type: 'array', items: DEAD_LINK },
          is_complete: {
            ...FLAG,
            description: 'false: more addresses than are checked or listed.',
          },
        },
      },
      example: {
        links: [
          {
            address: 'misspelt.html',
            offset: 9,
            length: 13,
            line: 1,
            column: 10,
            reason: 'missing',
            asset_file_id: null,
          },
        ],
        is_complete: true,
      },
    }),
  },
}

export const CHECK_FILE_LINKS: EndpointDocs = {
  tag: assetFile.name,
  operationId: 'check_file_links',
  description:
    'Finds the addresses that lead nowhere once the latest versions of these files are live, as check_links does for a text. The files are published together, so an ' +
    `address of one file may lead to another one. Files that the key may not change are ignored. Up to ${MAX_CHECKED_LINKS.toLocaleString('en')} addresses are ` +
    `checked, and ${MAX_DEAD_LINKS} listed. The request writes nothing, so an Idempotency-Key is ignored.`,
  body: jsonBody({
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['asset_file_ids'],
      properties: {
        asset_file_ids: {
          type: 'array',
          items: { type: 'integer', minimum: 1 },
          minItems: 1,
          maxItems: MAX_CHECKED_FILES,
        },
      },
    },
    example: { asset_file_ids: [2] },
    limit: BODY_LIMITS.json,
  }),
  answers: {
    200: jsonAnswer('The files with such addresses, in the order of the request.', {
      schema: {
        type: 'object',
        required: ['files', 'is_complete'],
        properties: {
          files: {
            type: 'array',
            items: {
              type: 'object',
              required: ['asset_file_id', 'name', 'links'],
              properties: {
                asset_file_id: { type: 'integer', minimum: 1 },
                name: { type: 'string' },
                links: {
                  type: 'array',
                  items: {
                    type: 'object',
                    required: ['address', 'reason', 'asset_file_id'],
                    properties: { address: ADDRESS, reason: REASON, asset_file_id: TARGET },
                  },
                },
              },
            },
          },
          is_complete: {
            type: 'boolean',
            description:
              'false: the files have more addresses than are checked or listed, or the server has not yet read all files.',
          },
        },
      },
      example: {
        files: [
          {
            asset_file_id: 2,
            name: 'index.html',
            links: [{ address: 'misspelt.html', reason: 'missing', asset_file_id: null }],
          },
        ],
        is_complete: true,
      },
    }),
  },
}

const TEXT = { type: 'string' } as const

const PAGE: SchemaObject = {
  type: 'object',
  required: [...USING_FIELDS, 'in_live', 'in_staged', 'in_latest'],
  properties: {
    asset_file_id: FROM_ONE,
    name: TEXT,
    title: { type: ['string', 'null'] },
    type: TEXT,
    path: TEXT,
    state: TEXT,
    in_live: { ...FLAG, description: 'The live version leads to the file, or shows the menu.' },
    in_staged: FLAG,
    in_latest: FLAG,
  },
}

const EXAMPLE_PAGE = {
  asset_file_id: 2,
  name: 'index.html',
  title: null,
  type: 'html',
  path: '/Main/website/index.html',
  state: 'published',
  in_live: true,
  in_staged: true,
  in_latest: true,
}

const PAGE_OF_LIST = {
  pages: { type: 'array', items: PAGE },
  next: { type: ['string', 'null'], description: 'The cursor of the next page, if there is one.' },
} as const satisfies Record<string, SchemaObject>

const LIST_PARAMETERS = [
  queryParameter('cursor', 'The value next of the previous page.', { type: 'string' }),
  lengthParameter(),
  queryParameter('shown', 'true: only live pages that show the file or the menu.', {
    type: 'boolean',
  }),
]

const GROUP: SchemaObject = {
  type: 'object',
  required: ['file_group_id', 'name'],
  properties: { file_group_id: FROM_ONE, name: TEXT },
}

const ENTRY: SchemaObject = {
  type: 'object',
  required: ['object', 'module_id', 'module_name', 'entry_id', 'column'],
  properties: {
    object: { type: 'string', enum: ['datatable', 'calendar'] },
    module_id: FROM_ONE,
    module_name: TEXT,
    entry_id: FROM_ONE,
    column: { ...TEXT, description: 'The column that refers to the file.' },
  },
}

export const LIST_USES: EndpointDocs = {
  tag: assetFile.name,
  operationId: 'list_asset_file_uses',
  description:
    'The pages whose live, staged or latest version leads to the file, in the order of their numbers, as far as the key may see them. An address may use any current or former name of the file, so renames and moves do not matter. A key that sees no drafts gets the pages whose live version leads to the file. ' +
    'With shown=true, only the live pages that show the file: they include it, also through other fragments, or have it as their layout, so a publish of the file changes ' +
    'them. Layouts are not listed. This list has one page, without file groups and entries. ' +
    `At most ${MAX_STORED_LINKS.toLocaleString('en')} different addresses of each version are considered. The first page of the list also has up to ${MAX_USES} file groups and entries.`,
  parameters: LIST_PARAMETERS,
  answers: {
    200: jsonAnswer('One page of the list.', {
      schema: {
        type: 'object',
        required: ['pages', 'file_groups', 'entries', 'next', 'is_complete'],
        properties: {
          ...PAGE_OF_LIST,
          file_groups: { type: 'array', items: GROUP },
          entries: { type: 'array', items: ENTRY },
          is_complete: {
            type: 'boolean',
            description:
              'false: there are more file groups or entries, or the server has not yet read all pages.',
          },
        },
      },
      example: {
        pages: [EXAMPLE_PAGE],
        file_groups: [],
        entries: [],
        next: null,
        is_complete: true,
      },
      headers: ['Link'],
    }),
  },
}

export const LIST_MENU_USES: EndpointDocs = {
  tag: fileGroup.name,
  operationId: 'list_file_group_uses',
  description:
    'The pages whose live, staged or latest version has the shortcode [menu group=N] of the file group, in the order of their numbers, as far as the key may see them. ' +
    'A key that sees no drafts gets the pages whose live version has it. With shown=true, only the live pages that show the menu, also through layouts and fragments, so ' +
    'a change of the file group changes them. This list has no further pages.',
  parameters: LIST_PARAMETERS,
  answers: {
    200: jsonAnswer('One page of the list.', {
      schema: {
        type: 'object',
        required: ['pages', 'next', 'is_complete'],
        properties: {
          ...PAGE_OF_LIST,
          is_complete: { ...FLAG, description: 'false: the server has not yet read all pages.' },
        },
      },
      example: { pages: [EXAMPLE_PAGE], next: null, is_complete: true },
      headers: ['Link'],
    }),
  },
}
