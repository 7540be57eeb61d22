// All English texts of the administration area; their type is the type of every language. A browser never loads this
// file, but the part of each page (languages.ts). fill() fills {placeholders}, and formats.count() formats counted
// texts.

import { access } from './en/access.ts'
import { audit } from './en/audit.ts'
import { backup } from './en/backup.ts'
import { calendar } from './en/calendar.ts'
import { comments } from './en/comments.ts'
import { content } from './en/content.ts'
import { dashboard } from './en/dashboard.ts'
import { data } from './en/data.ts'
import { editor } from './en/editor.ts'
import { entries } from './en/entries.ts'
import { faults, refusals } from './en/faults.ts'
import { file } from './en/file.ts'
import { first } from './en/first.ts'
import { keys } from './en/keys.ts'
import { menus } from './en/menus.ts'
import { palette, shortcuts } from './en/palette.ts'
import { picking } from './en/picking.ts'
import { profile } from './en/profile.ts'
import { publicAccess } from './en/public-access.ts'
import { secondFactor } from './en/second-factor.ts'
import { schedule } from './en/schedule.ts'
import { start } from './en/start.ts'
import { trash } from './en/trash.ts'
import { upload } from './en/upload.ts'
import { users } from './en/users.ts'
import { views } from './en/views.ts'
import { webhooks } from './en/webhooks.ts'
import { welcome } from './en/welcome.ts'

export const en = {
  ...first,
  access,
  audit,
  backup,
  calendar,
  comments,
  content,
  dashboard,
  data,
  editor,
  entries,
  faults,
  refusals,
  file,
  keys,
  menus,
  palette,
  shortcuts,
  picking,
  profile,
  publicAccess,
  secondFactor,
  schedule,
  start,
  trash,
  upload,
  users,
  views,
  webhooks,
  welcome,
} as const
