// The typed API client, generated from the OpenAPI document: `api.GET('/datatable/{id}', { params: { path: { id } }
// })`. Failed requests throw Problem or NoConnection; dataOf() returns the body of a response.

import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './interface.d.ts'
import type { ModulePaths } from './module-paths.ts'
import { readProblem } from './problem.ts'
import type { Transport } from './transport.ts'

/** The paths of every site, plus the paths that all modules share. */
type AllPaths = paths & ModulePaths

export type Api = Client<AllPaths>

export function openApi(address: string, transport: Transport): Api {
  const api = createClient<AllPaths>({ baseUrl: address, fetch: transport.fetch })
  api.use({
    async onResponse({ response }) {
      if (!response.ok && response.status !== 304) throw await readProblem(response)
    },
  })
  return api
}

/** `const me = await dataOf(api.GET('/me'))` */
export async function dataOf<T>(
  call: Promise<{ readonly data?: T; readonly response: Response }>,
): Promise<T> {
  const { data } = await call
  // Failures have thrown before this line.
  return data as T
}

/** Returns the record with its ETag, which a change sends as `If-Match`. */
export async function recordOf<T>(
  call: Promise<{ readonly data?: T; readonly response: Response }>,
): Promise<{ readonly record: T; readonly etag: string }> {
  const { data, response } = await call
  return { record: data as T, etag: response.headers.get('etag') ?? '' }
}

/** Creates a value for the `Idempotency-Key` header. Browsers have no randomUUID() without TLS. */
export function newRequestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
