// Sign-in by OpenID Connect: the code flow with PKCE, state and nonce, by openid-client, which is loaded with the first sign-in.
// What a sign-in needs to go on is with the browser, in a cookie that only those can read who have the same secret. Of a process that
// is alone it is made at its start: an attempt that began before that is begun again. Each is good once, whatever the provider thinks of its codes.

import type { ClientAuth, Configuration } from 'openid-client'
import { CmsError } from '../base/errors.ts'
import type { Counts } from '../storage/counts.ts'
import { decrypt, encrypt } from './encryption.ts'

/** Of each request to the provider. */
const TIMEOUT_SECONDS = 5
/** What the provider tells of itself is asked for again after that. */
const DISCOVERY_MS = 3_600_000
/** Somebody may have to look for a phone. */
export const ATTEMPT_SECONDS = 600

export interface OidcOptions {
  readonly issuer: string
  readonly clientId: string
  /** Undefined for a client that can keep none. */
  readonly clientSecret: string | undefined
  /** Of the cookies. */
  readonly secret: string
  /** A clock that nobody sets. */
  readonly uptimeMs: () => number
  /** By which an attempt ends: the same, or that of the machine where others have to read it, too. */
  readonly clockMs: () => number
  readonly counts: Pick<Counts, 'take'>
  /** Why a sign-in went wrong, for the operator alone. */
  readonly onTrouble: (reason: object) => void
}

export interface BegunAttempt {
  /** Of the provider, for the browser. */
  readonly url: string
  readonly cookie: string
}

export interface ProviderAnswer {
  /** As the browser was sent back to it. */
  readonly url: string
  readonly cookie: string | undefined
}

export interface NewAttempt {
  readonly redirectUri: string
  /** The session cookie of the browser. The browser does not send it on the way back, because another site leads there. */
  readonly replaced: string | undefined
}

export interface Finished {
  /** The verified address of the person who has signed in at the provider; undefined if the provider names none. */
  readonly email: string | undefined
  /** As of NewAttempt. */
  readonly replaced: string | undefined
}

export interface Oidc {
  /** Throws oidc-unavailable. */
  readonly begin: (attempt: NewAttempt) => Promise<BegunAttempt>
  /** Throws oidc-unavailable, oidc-refused. */
  readonly finish: (answer: ProviderAnswer) => Promise<Finished>
}

interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly endMs: number
  readonly replaced?: string | undefined
}

export function openOidc(options: OidcOptions): Oidc {
  const { secret, clockMs, counts, onTrouble } = options
  const key = { secret, purpose: 'oidc' }
  const provider = openProvider(options)

  /** Throws oidc-refused where the answer is not one to what this browser has begun, or comes once more. */
  async function takeAttempt({ url, cookie }: ProviderAnswer): Promise<Attempt> {
    const text = cookie === undefined ? undefined : decrypt(cookie, key)
    const attempt = text === undefined ? undefined : (JSON.parse(text) as Attempt)
    const states = new URL(url).searchParams.getAll('state')
    const isOurs = attempt !== undefined && states.length === 1 && states[0] === attempt.state
    if (!isOurs || attempt.endMs <= clockMs()) throw refused()
    const windowMs = ATTEMPT_SECONDS * 1_000
    const once = { kind: 'oidc attempt', name: attempt.state, most: 1, windowMs }
    if ((await counts.take([once])) !== undefined) throw refused()
    return attempt
  }

  return {
    async begin({ redirectUri, replaced }) {
      try {
        const { client, config } = await provider()
        const verifier = client.randomPKCECodeVerifier()
        const [state, nonce] = [client.randomState(), client.randomNonce()]
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: 'openid email',
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        const endMs = clockMs() + ATTEMPT_SECONDS * 1_000
        const attempt: Attempt = { state, nonce, verifier, endMs, replaced }
        return { url: url.href, cookie: encrypt(JSON.stringify(attempt), key) }
      } catch (error) {
        onTrouble(reasonOf(error))
        throw unavailable(error)
      }
    },
    async finish(answer) {
      const { state, nonce, verifier, replaced } = await takeAttempt(answer)
      try {
        const { client, config } = await provider()
        const tokens = await client.authorizationCodeGrant(config, new URL(answer.url), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
        })
        const claims = tokens.claims()
        if (claims === undefined) return { email: undefined, replaced }
        const { email, email_verified, sub } = claims
        if (email !== undefined)
          return { email: verifiedEmail({ email, email_verified }), replaced }
        // OpenID Connect Core 5.4 has the claims there.
        const userInfo = await client.fetchUserInfo(config, tokens.access_token, sub)
        return { email: verifiedEmail(userInfo), replaced }
      } catch (error) {
        onTrouble(reasonOf(error))
        throw isAway(error) ? unavailable(error) : refused(error)
      }
    },
  }
}

const loadClient = () => import('openid-client')
type Client = Awaited<ReturnType<typeof loadClient>>

interface Provider {
  readonly client: Client
  readonly config: Configuration
}

/** What it tells of itself, asked for once for all who wait for it; what failed is asked for again. */
function openProvider(options: OidcOptions): () => Promise<Provider> {
  let known: { readonly provider: Promise<Provider>; readonly endMs: number } | undefined
  return () => {
    const nowMs = options.uptimeMs()
    if (known !== undefined && nowMs < known.endMs) return known.provider
    const provider = discover(options)
    known = { provider, endMs: nowMs + DISCOVERY_MS }
    provider.catch(() => {
      known = undefined
    })
    return provider
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcOptions): Promise<Provider> {
  const client = await loadClient()
  const server = new URL(issuer)
  const isPlain = server.protocol === 'http:'
  const config = await client.discovery(
    server,
    clientId,
    undefined,
    clientSecret === undefined ? client.None() : secretAuth(client, clientSecret),
    {
      timeout: TIMEOUT_SECONDS,
      // Of this machine alone: see issuer in flag-values.ts.
      // oxlint-disable-next-line typescript/no-deprecated -- marked as that to stand out
      ...(isPlain && { execute: [client.allowInsecureRequests] }),
    },
  )
  return { client, config }
}

/** In the way that the provider takes; where it names none, that is Basic (OpenID Connect Discovery 1.0). */
function secretAuth(client: Client, secret: string): ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: known = ['client_secret_basic'] } = server
    return known.includes('client_secret_basic') ? basic(server, ...rest) : post(server, ...rest)
  }
}

interface Claims {
  readonly email?: unknown
  readonly email_verified?: unknown
}

function verifiedEmail({ email, email_verified: isVerified }: Claims): string | undefined {
  return isVerified === true && typeof email === 'string' ? email : undefined
}

/** Answers that are no answers of a provider, and none at all. */
const AWAY = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_JSON'])

function isAway(error: unknown): boolean {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM') return (cause as Response).status >= 500
  // What fetch throws has no code of its own.
  return code === undefined ? error instanceof TypeError : AWAY.has(String(code))
}

/** Without what came from the browser or the provider, which may hold tokens. */
function reasonOf(error: unknown): object {
  const { name, message, code, error: told } = error as Partial<Record<string, unknown>>
  const { cause } = error as { readonly cause?: unknown }
  const native = cause instanceof Error ? cause.message : undefined
  return { name, message, code, told, native }
}

function unavailable(cause: unknown): CmsError {
  const detail =
    'The provider of identities does not answer. Try again, or sign in with a password.'
  return new CmsError('oidc-unavailable', detail, { cause })
}

function refused(cause?: unknown): CmsError {
  const detail = 'The sign-in was not finished, or not begun in this browser. Begin it again.'
  return new CmsError('oidc-refused', detail, { cause })
}
