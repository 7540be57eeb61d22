// An independent client of the S3 interface that reads back what the server wrote.

import { AwsClient } from 'aws4fetch'

export interface PlainStore {
  readonly endpoint: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export function openPlain({ endpoint, bucket, accessKeyId, secretAccessKey }: PlainStore) {
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    service: 's3',
    region: 'us-east-1',
    retries: 3,
  })
  const base = `${endpoint}/${bucket}`

  async function ask(url: string, method = 'GET'): Promise<Response> {
    const answer = await client.fetch(url, { method })
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`)
    return answer
  }

  async function textOf(query: string): Promise<string> {
    return (await ask(`${base}?${query}`)).text()
  }

  return {
    makeBucket: async () => void (await ask(base, 'PUT')),
    read: async (key: string): Promise<Buffer> =>
      Buffer.from(await (await ask(`${base}/${key}`)).arrayBuffer()),
    remove: async (key: string) => void (await ask(`${base}/${key}`, 'DELETE')),

    /** Keys of objects and of unfinished multipart uploads. */
    async keysUnder(prefix: string): Promise<readonly string[]> {
      const objects: string[] = []
      for (let token: string | undefined = ''; token !== undefined; ) {
        const more: string = token === '' ? '' : `&continuation-token=${encodeURIComponent(token)}`
        const page = await textOf(`list-type=2&prefix=${encodeURIComponent(prefix)}${more}`)
        objects.push(...namesIn(page, 'Key'))
        token = namesIn(page, 'NextContinuationToken')[0]
      }
      const uploads = await textOf(`uploads&prefix=${encodeURIComponent(prefix)}`)
      return [...objects, ...namesIn(uploads, 'Key')]
    },
  }
}

function namesIn(page: string, tag: string): readonly string[] {
  return [...page.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(
    ([, text]) => text ?? '',
  )
}
