// The core objects by name, and all record types that storage holds.

import { apiKey, apiKeySecret, apiKeyUse, keyTombstone, seenTime, session } from './api-key.ts'
import { assetCategory, formerPlaces } from './asset-category.ts'
import { assetFile, assetFileVersion } from './asset-file.ts'
import { audit, auditClockReset } from './audit.ts'
import { changeLog, folderTombstone } from './change-log.ts'
import { formerAddress, liveName, stagedName } from './file-address.ts'
import { comment, commentMentions, orphanedComments, pendingMail } from './comment.ts'
import { fileGroup } from './file-group.ts'
import { fileLink } from './file-link.ts'
import { fileSchedule } from './file-schedule.ts'
import { linkRow } from './link-index.ts'
import {
  idempotencyCount,
  idempotencyRow,
  nodeLease,
  siteKey,
  welcomeLink,
  workOwner,
} from './server-records.ts'
import { calendar, datatable, moduleLayout, moduleNames, moduleNumbers } from './module.ts'
import type { ObjectType } from './object.ts'
import { partialUpload } from './partial-upload.ts'
import { deletedHistory } from './past-values.ts'
import { pendingWork } from './pending-work.ts'
import { referrer, removalMark } from './reference.ts'
import { siteDefaults, trash, trashPart } from './trash.ts'
import { role } from './role.ts'
import { nextSecondFactor, secondFactor, user, userLink, userPassword } from './user.ts'
import { savedViews } from './saved-views.ts'
import type { RecordType } from './values.ts'
import { removedVersions } from './version-retention.ts'
import { webhook, webhookDelivery, webhookProgress, webhookSecret } from './webhook.ts'

export const OBJECTS: readonly ObjectType[] = [
  assetCategory,
  assetFile,
  fileGroup,
  datatable,
  calendar,
  user,
  apiKey,
  role,
  webhook,
  comment,
  audit,
  trash,
]

export const RECORD_TYPES: readonly RecordType[] = [
  ...OBJECTS.map((object) => object.recordType),
  assetFileVersion,
  liveName,
  stagedName,
  formerAddress,
  fileLink.recordType,
  linkRow,
  fileSchedule,
  removedVersions,
  formerPlaces,
  moduleLayout,
  moduleNumbers,
  moduleNames,
  referrer,
  removalMark,
  deletedHistory,
  trashPart,
  siteDefaults,
  userPassword,
  userLink,
  secondFactor,
  nextSecondFactor,
  savedViews,
  commentMentions,
  orphanedComments,
  pendingMail,
  apiKeySecret,
  apiKeyUse,
  keyTombstone,
  session,
  seenTime,
  siteKey,
  welcomeLink,
  idempotencyRow,
  idempotencyCount,
  pendingWork,
  auditClockReset,
  changeLog,
  folderTombstone,
  webhookSecret,
  webhookProgress,
  webhookDelivery,
  nodeLease,
  workOwner,
  partialUpload,
]
