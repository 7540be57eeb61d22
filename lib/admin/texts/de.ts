// All German texts of the administration area.

import { access } from './de/access.ts'
import { audit } from './de/audit.ts'
import { backup } from './de/backup.ts'
import { calendar } from './de/calendar.ts'
import { comments } from './de/comments.ts'
import { content } from './de/content.ts'
import { dashboard } from './de/dashboard.ts'
import { data } from './de/data.ts'
import { editor } from './de/editor.ts'
import { entries } from './de/entries.ts'
import { faults, refusals } from './de/faults.ts'
import { file } from './de/file.ts'
import { first } from './de/first.ts'
import { keys } from './de/keys.ts'
import { menus } from './de/menus.ts'
import { palette, shortcuts } from './de/palette.ts'
import { picking } from './de/picking.ts'
import { profile } from './de/profile.ts'
import { publicAccess } from './de/public-access.ts'
import { secondFactor } from './de/second-factor.ts'
import { schedule } from './de/schedule.ts'
import { start } from './de/start.ts'
import { trash } from './de/trash.ts'
import { upload } from './de/upload.ts'
import { users } from './de/users.ts'
import { views } from './de/views.ts'
import { webhooks } from './de/webhooks.ts'
import { welcome } from './de/welcome.ts'
import type { Translation } from './translation.ts'

export const de: Translation = {
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
}
