// Requests generated from the OpenAPI documents, as the OpenAPI rig generates them. They reach
// cases that the other requests miss.

import fc from 'fast-check'
import { operationsOf } from '../../docs/document.ts'
import { copySite } from '../../helpers/site.ts'
import { anyRequest } from '../openapi/requests.ts'
import { WAITS } from '../openapi/rig.ts'
import { openSite, type Sent } from './site.ts'
import type { World } from './world.ts'

/** The `server` of a document is the common prefix of the paths of its operations. */
export async function documentedRequests(
  { dataDir }: World,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<readonly Sent[]> {
  const site = await openSite({ dataDir: copySite(dataDir) })
  try {
    const places = []
    for (const name of ['system', 'module']) {
      const document = await site.admin('GET', `/public/api/${name}/swagger.json`)
      for (const operation of operationsOf(document)) {
        if (WAITS.has(operation.name)) continue
        const path = operation.name.replace(/^\w+ /, '')
        const [own] = document.paths[path].servers ?? document.servers
        places.push({ prefix: new URL(own.url).pathname.replace(/\/$/, ''), operation })
      }
    }
    // One request for each operation, and further random requests.
    const each = places.flatMap((place) => fc.sample(anyRequest([place]), { seed, numRuns: 1 }))
    const others = fc.sample(anyRequest(places), { seed, numRuns: count })
    return [...others, ...each].map(({ path, headers, body, operation }): Sent => {
      return { method: operation.method, path, headers, ...(body !== undefined && { body }) }
    })
  } finally {
    await site.close()
  }
}
