// The interface of the server, typed by its own document: `api.GET('/datatable/{id}', { params: { path: { id } } })`.
// What is no success is thrown, as Problem or NoConnection; dataOf gives what an answer holds.

import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './interface.d.ts'
import type { ModulePaths } from './module-paths.ts'
import { readProblem } from './problem.ts'
import type { Transport } from './transport.ts'

/** Of every site, and what the modules of this one have in common. */
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
  // What is no success was thrown.
  return data as T
}

/** The record with its ETag, for `If-Match` when it is changed. */
export async function recordOf<T>(
  call: Promise<{ readonly data?: T; readonly response: Response }>,
): Promise<{ readonly record: T; readonly etag: string }> {
  const { data, response } = await call
  return { record: data as T, etag: response.headers.get('etag') ?? '' }
}
