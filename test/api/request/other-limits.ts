// Limits that a single request cannot exceed, grouped by the test that covers them.

import type { LIMITS } from '../../../lib/config/limits.ts'

/** Limits that refuse nothing. Their effect is tested with the feature. */
export const OTHER_LIMITS: readonly (keyof typeof LIMITS)[] = [
  'maxFolderDepth',
  'maxPathBytes',
  'pageJsonBytes',
  // Early ends of pages: api/request/lists, api/files/long-texts.
  'listLength',
  // Pages of readers without a key: api/public/public-entries.
  'maxPublicListLength',
  'listBytes',
  // Duration of a search: api/request/long-searches.
  'scannedRecords',
  'searchMs',
  // Thresholds for the place of work: http/json, api/files/upload, storage/embedded/contents.
  'inlineJsonBytes',
  'inlineContentBytes',
  'inlineUploadBytes',
  'verifyEveryMs',
  // Bounds of histories: api/modules/entry-history-bounds.
  'historyValueBytes',
  'historyCommitBytes',
  'historyChanges',
  'purgeBatch',
  'smallModule',
  // Timeouts of clients: api/request/slow-clients.
  'headersTimeoutMs',
  'bodyTimeoutMs',
  'dropTimeoutMs',
  'stallTimeoutMs',
  'uploadWindowMs',
  'uploadWindowBytes',
  'requestTimeoutMs',
  'keepAliveTimeoutMs',
  'connectionsCheckMs',
  // Followers of changes: api/trail/changes, api/trail/change-stream.
  'maxWaitMs',
  'streamShare',
  'streamMemoryBytes',
  'streamQueueBytes',
  'heartbeatMs',
  // Totals of all requests: api/request/allowance.
  'bodyMemoryBytes',
  'answerMemoryBytes',
  'maxUploads',
  // Unfinished resumable uploads: api/files/resumable-bounds.
  'resumableUploads',
  'resumableUploadsPerUser',
  'resumableSizes',
  'resumableSizesPerUser',
  'uploadMetadataBytes',
  // Shares of each key, user and address: api/request/quotas.
  'smallBodyMemoryBytes',
  'smallBodyBytes',
  'keyShare',
  'userShare',
  'addressShare',
  // Refusal of connections: http/connections.
  'maxRefusedConnections',
  'refusalTimeoutMs',
  // Attempts with invalid keys: auth/guard.
  'invalidKeys',
  'invalidKeysWindowMs',
  'addressTable',
  // Sign-ins and sessions: api/people/sessions, passwords, user-links, welcome.
  // Beyond it, the oldest former name is free again: api/people/users.
  'formerNamesPerUser',
  'minPasswordLength',
  'minPasswordVariety',
  'maxPasswordBytes',
  'signInFailures',
  // Keys that keys create, and changes of keys: api/people/key-bounds.
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
  // The documents of many modules: docs/one-module.
  'documentBytes',
  // The preview of a site: api/public/previews.
  'previewMs',
  'maxPreviewMs',
  // Links to previews: api/public/preview-links.
  'maxPreviewLinkMs',
  // Links that one administrator makes for users: api/people/user-links.
  'userLinksPerMaker',
  'previewPageBytes',
  'previewLinkBytes',
  'welcomeMs',
  'userLinkMs',
  // Roles of the site: api/people/roles.
  'roles',
  'usersPerRole',
  // The node that does the shared work: operations/nodes.
  'nodeLivesMs',
  // Delivery of webhooks: api/webhooks.
  'webhooksAtOnce',
  'webhookTimeoutMs',
  'webhookAnswerBytes',
  'keptWebhookAnswerBytes',
  'webhookRetryMs',
  'webhookGiveUpMs',
  'webhookDeliveries',
  'webhookDeliveryMs',
  // Lifetime of a ticket: api/files/tickets.
  'ticketMs',
  // Lifetime and number of links: api/files/links, api/files/link-makers.
  'linkMs',
  'maxLinkMs',
  'linksPerUser',
  'linksPerFile',
  // Comments: api/comments.
  'commentsPerTarget',
  // Mails about mentions: api/mention-mails.
  'mailsPerMinute',
  'mailsWaiting',
  'mailsOfWriter',
  'mailTimeoutMs',
  'mailRetryMs',
  'mailGiveUpMs',
  // Second factor: api/people/second-factor.
  'nextSecondFactorMs',
  'codeFailures',
  'codeWindowMs',
  'recoveryCodes',
  // Kept answers, and for how long: api/trail/idempotency.
  'idempotencyMs',
  'keptAnswerBytes',
  // Size of an imported file: api/modules/calendar-import.
  'calendarFileBytes',
  // Cost of recurrence rules: api/modules/calendar-work.
  'maxCalendarSteps',
  // Dropped bytes: api/request/unwanted-bodies.
  'drainBytes',
]
