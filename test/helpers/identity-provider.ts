// An OpenID Connect provider on a free port, and a browser that signs in there. The browser follows
// redirects, keeps cookies and fills in forms.

import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import { Provider } from 'oidc-provider'

export const CLIENT_ID = 'cms'
export const CLIENT_SECRET = 'canary-of-the-client'

export interface IdentityProvider {
  readonly issuer: string
  /** Starts to answer, with one client at this redirect URI. */
  open(redirectUri: string): void
  /** Replaces the provider's answers. */
  answerWith(listener: RequestListener): void
  close(): Promise<void>
}

/**
 * The email address of each account equals its login, and is verified unless it begins with
 * "unverified".
 */
function accountOf(id: string) {
  const claims = () => ({ sub: id, email: id, email_verified: !id.startsWith('unverified') })
  return { accountId: id, claims }
}

export async function listenAsProvider(): Promise<IdentityProvider> {
  let listener: RequestListener = (_, response) => response.writeHead(503).end()
  const server = createServer((request, response) => listener(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const issuer = `http://127.0.0.1:${port}`
  return {
    issuer,
    open(redirectUri) {
      const client = {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
      }
      const provider = new Provider(issuer, {
        clients: [client],
        claims: { openid: ['sub'], email: ['email', 'email_verified'] },
        findAccount: (_: unknown, id: string) => accountOf(id),
        cookies: { keys: ['of the tests'] },
      })
      listener = provider.callback()
    },
    answerWith(other) {
      listener = other
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export interface Browser {
  /** Sends one request without following redirects. */
  get(url: string): Promise<Response>
  /**
   * Signs in at the provider from the start address, and returns the address that leads back to the
   * site.
   */
  signInAt(url: string, email: string): Promise<string>
}

export function openBrowser(): Browser {
  const jars = new Map<string, Map<string, string>>()

  async function send(url: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const { origin } = new URL(url)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', ...(cookie !== '' && { cookie }) },
      ...(form !== undefined && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }

  async function signInAt(url: string, email: string): Promise<string> {
    const { origin } = new URL(url)
    let place = url
    for (let step = 0; step < 20; step += 1) {
      const response = await send(place)
      const form = response.status === 200 ? formOf(await response.text(), email) : undefined
      const answer =
        form === undefined ? response : await send(new URL(form.action, place).href, form.values)
      const location = answer.headers.get('location')
      if (location === null) throw new Error(`${answer.status} ${await answer.text()}`)
      place = new URL(location, place).href
      if (new URL(place).origin !== origin) return place
    }
    throw new Error('The provider leads in a circle.')
  }

  return { get: (url) => send(url), signInAt }
}

function formOf(html: string, email: string) {
  const action = /<form[^>]*action="([^"]+)"/.exec(html)?.[1] ?? ''
  const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1] ?? ''
  return {
    action,
    values: { prompt, ...(prompt === 'login' && { login: email, password: 'any' }) },
  }
}
