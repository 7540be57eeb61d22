// OpenAPI descriptions of the pages of the administration area and of their assets.

import { otherAnswer } from '../../docs/answers.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { pathParameter } from '../../docs/parameters.ts'

export function adminPageDocs(operationId: string): EndpointDocs {
  return {
    tag: 'service',
    operationId,
    description:
      'One page serves all addresses of the area. Its script calls this API with the key of the signed-in user.',
    answers: {
      200: otherAnswer('The page.', 'text/html'),
      303: {
        description: 'Redirects from below /api/v2 to the page itself.',
        headers: { Location: { description: 'Address of the page.', schema: { type: 'string' } } },
      },
    },
    problems: [404],
  }
}

export const READ_ADMIN_ASSET: EndpointDocs = {
  tag: 'service',
  operationId: 'read_admin_asset',
  parameters: [
    pathParameter('name', 'Name of the file, as the page links it. Changes with the content.'),
  ],
  answers: { 200: otherAnswer('A script or style sheet of the pages.', '*/*') },
}

export const SHOW_PREVIEW: EndpointDocs = {
  tag: 'service',
  operationId: 'show_admin_preview',
  description:
    'An empty page with an opaque origin. The editor of the area shows it in a frame and sends it the page to preview. No script of the previewed page runs.',
  answers: { 200: otherAnswer('The page.', 'text/html') },
  problems: [404],
}
