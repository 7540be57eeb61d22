// Documents of the pages of the administration area and of what they load.

import { otherAnswer } from '../../docs/answers.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { pathParameter } from '../../docs/parameters.ts'

export function adminPageDocs(operationId: string): EndpointDocs {
  return {
    tag: 'service',
    operationId,
    description:
      'One page for all addresses of the area: its program asks this interface, with a key of who signs in.',
    answers: {
      200: otherAnswer('The page.', 'text/html'),
      303: {
        description: 'From below /api/v2 to the page itself.',
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
    pathParameter('name', 'Stands in the page: another one whenever the content is another one.'),
  ],
  answers: { 200: otherAnswer('A program or style sheet of the pages.', '*/*') },
}

export const SHOW_PREVIEW: EndpointDocs = {
  tag: 'service',
  operationId: 'show_admin_preview',
  description:
    'An empty page of no origin. The editor of the area, in whose frame it stands, tells it what to show; nothing of that runs.',
  answers: { 200: otherAnswer('The page.', 'text/html') },
  problems: [404],
}
