// Adds a PATCH route for each POST route that updates a record, because many clients use PATCH for updates. Both routes
// run the same operation with the same grants, headers and idempotency; PATCH also accepts a merge patch.

import type { EndpointDocs, RouteDocs } from '../docs/endpoint.ts'
import type { Route } from './request/route.ts'

const MERGE_PATCH = 'application/merge-patch+json'

export function withPatch(routes: readonly Route[]): readonly Route[] {
  return routes.flatMap((route) => (isChangeOfRecord(route) ? [route, twinOf(route)] : [route]))
}

/** Excludes routes such as passwords (recall: same), which do not update the fields of a record. */
function isChangeOfRecord({ method, path, action, recall }: Route): boolean {
  const isOfRecord = /:(?:entry_)?id$/.test(path)
  return method === 'POST' && action === 'update' && recall !== 'same' && isOfRecord
}

function twinOf(route: Route): Route {
  return Object.freeze({ ...route, method: 'PATCH', docs: docsOfTwin(route.docs) })
}

function docsOfTwin(docs: RouteDocs): RouteDocs {
  if (typeof docs !== 'function') return patchDocs(docs)
  return (module) => {
    const ofModule = docs(module)
    return ofModule && patchDocs(ofModule)
  }
}

function patchDocs(docs: EndpointDocs): EndpointDocs {
  const json = docs.body?.content['application/json']
  return {
    ...docs,
    operationId: docs.operationId.replace(/^update_/, 'patch_'),
    description: `The same as POST, for clients that send PATCH. The body may also be ${MERGE_PATCH}.`,
    ...(docs.body !== undefined &&
      json !== undefined && {
        body: { ...docs.body, content: { ...docs.body.content, [MERGE_PATCH]: json } },
      }),
  }
}
