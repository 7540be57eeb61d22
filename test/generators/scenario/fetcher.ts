// The function that sends the requests of orval's clients, which have no parameter for a key and parse all
// answers as JSON.

let authorization = ''

export function signWith(key: string): void {
  authorization = `Bearer ${key}`
}

export async function fetcher<T>(url: string, options: RequestInit): Promise<T> {
  const headers = { ...options.headers, authorization }
  const response = await fetch(url, { ...options, headers })
  const type = response.headers.get('content-type') ?? ''
  const { status } = response
  const isJson = /^application\/(problem\+)?json/.test(type)
  const data: unknown = isJson ? await response.json() : await response.blob()
  return { data, status, headers: response.headers } as T
}
