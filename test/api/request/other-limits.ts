// Limits that no request alone can exceed, each with the test that knows it.

import type { LIMITS } from '../../../lib/config/limits.ts'

/** Limits that refuse nothing: what they decide is tested where it is done. */
export const OTHER_LIMITS: readonly (keyof typeof LIMITS)[] = [
  'maxFolderDepth',
  'maxPathBytes',
  'pageJsonBytes',
  // When pages end early: api/lists, api/long-texts.
  'listLength',
  'listBytes',
  // How long a search goes on: api/request/long-searches.
  'scannedRecords',
  'searchMs',
  // Where work is done: http/json, api/upload, storage/embedded/contents.
  'inlineJsonBytes',
  'carriedBytes',
  'inlineUploadBytes',
  'verifyEveryMs',
  'purgeBatch',
  'smallModule',
  // How long a client may take: api/slow-clients.
  'headersTimeoutMs',
  'bodyTimeoutMs',
  'dropTimeoutMs',
  'stallTimeoutMs',
  'uploadWindowMs',
  'uploadWindowBytes',
  'requestTimeoutMs',
  'keepAliveTimeoutMs',
  'connectionsCheckMs',
  // Who follows changes: api/trail/changes, api/trail/change-stream.
  'maxWaitMs',
  'streamShare',
  'streamMemoryBytes',
  'streamQueueBytes',
  'heartbeatMs',
  // What all requests may hold together: api/allowance.
  'bodyMemoryBytes',
  'answerMemoryBytes',
  'maxUploads',
  // And each key, user and address of it: api/shares.
  'smallBodyMemoryBytes',
  'smallBodyBytes',
  'keyShare',
  'userShare',
  'addressShare',
  // How connections are refused: http/connections.
  'maxRefusedConnections',
  'refusalTimeoutMs',
  // How often keys may be tried: auth/guard.
  'invalidKeys',
  'invalidKeysWindowMs',
  'addressTable',
  // Signing in, and what a session is: api/people/sessions, passwords, welcome.
  'minPasswordLength',
  'minPasswordVariety',
  'maxPasswordBytes',
  'signInFailures',
  // What keys make and change of keys: api/people/key-bounds.
  'keysPerKey',
  'madeKeysShare',
  'keyChanges',
  'keyChangesWindowMs',
  'signInFailuresPerAddress',
  'signInWindowMs',
  'sessionIdleMs',
  'sessionMs',
  'sessionSecretMs',
  'secretsPerSession',
  'sessionsPerUser',
  'welcomeMs',
  // Who does the work of several nodes: operations/nodes.
  'nodeLivesMs',
  // How webhooks deliver: api/webhooks.
  'webhooksAtOnce',
  'webhookTimeoutMs',
  'webhookAnswerBytes',
  'keptWebhookAnswerBytes',
  'webhookRetryMs',
  'webhookGiveUpMs',
  'webhookDeliveries',
  'webhookDeliveryMs',
  // How long a ticket is good: api/tickets.
  'ticketMs',
  // And a second factor: api/people/second-factor.
  'nextSecondFactorMs',
  'codeFailures',
  'codeWindowMs',
  'recoveryCodes',
  // What is kept of an answer, and how long: api/request/idempotency.
  'idempotencyMs',
  'keptAnswerBytes',
  // What rules may cost: api/calendar-work.
  'maxCalendarSteps',
  // What is dropped: the last test here.
  'drainBytes',
]
