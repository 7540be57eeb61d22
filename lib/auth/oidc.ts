// Sign-in by OpenID Connect: the code flow with PKCE, state and nonce. openid-client is loaded with the first
// sign-in. The state of an attempt is kept in an encrypted cookie of the browser. A single process creates the secret
// at its start, so an attempt that began before a restart must be repeated. Each attempt can be used once, whatever
// the provider does with its codes.

import type { ClientAuth, Configuration } from 'openid-client'
import { CmsError } from '../base/errors.ts'
import type { Counts } from '../storage/counts.ts'
import { decrypt, encrypt } from './encryption.ts'

/** Timeout of each request to the provider. */
const TIMEOUT_SECONDS = 5
/** Lifetime of the cached discovery document. */
const DISCOVERY_MS = 3_600_000
/** Long enough to look for a phone. */
export const ATTEMPT_SECONDS = 600

export interface OidcOptions {
  readonly issuer: string
  readonly clientId: string
  /** Undefined for a public client, which cannot keep a secret. */
  readonly clientSecret: string | undefined
  /** Encrypts the cookies. */
  readonly secret: string
  /** A monotonic clock. */
  readonly uptimeMs: () => number
  /** The clock that ends attempts: uptime, or the wall clock if other processes read it too. */
  readonly clockMs: () => number
  readonly counts: Pick<Counts, 'take'>
  /** Reports why a sign-in failed, to the operator only. */
  readonly onTrouble: (reason: object) => void
}

export interface BegunAttempt {
  /** The provider's address, for the browser. */
  readonly url: string
  readonly cookie: string
}

export interface ProviderAnswer {
  /** The address to which the provider sent the browser back. */
  readonly url: string
  readonly cookie: string | undefined
}

export interface NewAttempt {
  readonly redirectUri: string
  /**
   * The session cookie of the browser, which the browser does not send on the way back, because another site leads
   * there.
   */
  readonly replaced: string | undefined
}

export interface Finished {
  /** The verified email address of the person; undefined if the provider names none. */
  readonly email: string | undefined
  /** See NewAttempt. */
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

  /** Throws oidc-refused if this browser did not begin the attempt, or if the attempt was already used. */
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
        // OpenID Connect Core 5.4 puts the claims there.
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

/** The discovery document, requested once for all waiting callers; a failed request is repeated by the next caller. */
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
      // Only for an issuer on this machine: see issuer in flag-values.ts.
      // oxlint-disable-next-line typescript/no-deprecated -- marked as that to stand out
      ...(isPlain && { execute: [client.allowInsecureRequests] }),
    },
  )
  return { client, config }
}

/** Uses the method that the provider supports; the default is Basic (OpenID Connect Discovery 1.0). */
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

/** Codes for a missing answer, or for an answer that no provider would send. */
const AWAY = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_JSON'])

function isAway(error: unknown): boolean {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM') return (cause as Response).status >= 500
  // Errors thrown by fetch have no code.
  return code === undefined ? error instanceof TypeError : AWAY.has(String(code))
}

/** Leaves out values from the browser or the provider, which may contain tokens. */
function reasonOf(error: unknown): object {
  const { name, message, code, error: told } = error as Partial<Record<string, unknown>>
  const { cause } = error as { readonly cause?: unknown }
  const native = cause instanceof Error ? cause.message : undefined
  return { name, message, code, told, native }
}

function unavailable(cause: unknown): CmsError {
  const detail = 'The identity provider does not respond. Try again, or sign in with a password.'
  return new CmsError('oidc-unavailable', detail, { cause })
}

function refused(cause?: unknown): CmsError {
  const detail = 'The sign-in failed or was not started in this browser. Start again.'
  return new CmsError('oidc-refused', detail, { cause })
}
