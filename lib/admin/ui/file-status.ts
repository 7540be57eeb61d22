// The state of a file in words: `Published · 2 newer changes`, `Scheduled for Dec 1, 9:00 AM`.

import { fill } from '../texts/fill.ts'
import type { Speech } from '../texts/use-texts.ts'

/** The fields of a file that decide its state. */
export interface StatusFacts {
  readonly version: number
  readonly live_version: number | null
  readonly staged_version: number | null
  readonly publish_at: string | null
  readonly unpublish_at: string | null
  readonly stage_at: string | null
  readonly schedule_failed_at: string | null
  readonly schedule_fault: { readonly detail: string } | null
}

export interface StatusMark {
  readonly kind: 'live' | 'staged' | 'draft' | 'danger'
  readonly text: string
  /** The tooltip. */
  readonly title?: string | undefined
}

type Words = Pick<Speech, 't' | 'formats'>

interface StatusOptions {
  /** Bytes of the latest or the live version are lost. A list of files does not contain this fact. */
  readonly isDamaged?: boolean | undefined
  readonly now?: Date
}

/** The marks of a file: what visitors get, then what will change that. */
export function statusOf(
  file: StatusFacts,
  { t, formats }: Words,
  { isDamaged = false, now = new Date() }: StatusOptions = {},
): readonly StatusMark[] {
  const { version, live_version: live, staged_version: staged, publish_at: publishAt } = file
  const title = versionsOf(file, { t, formats })
    .map(({ text }) => text)
    .join(' · ')
  const since = (shown: number): string =>
    shown < version ? ` · ${formats.count(t.state.newer, version - shown)}` : ''
  const at = (text: string, time: string): string =>
    fill(text as '{when}', { when: formats.shortTime(new Date(time), now) })
  const later = (kind: StatusMark['kind'], text: string, time: string | null): StatusMark[] =>
    time === null ? [] : [{ kind, text: at(text, time) }]

  const marks: StatusMark[] = isDamaged ? [{ kind: 'danger', text: t.state.damaged }] : []
  if (live !== null) marks.push({ kind: 'live', text: t.state.live + since(live), title })
  else if (publishAt !== null)
    marks.push({ kind: 'staged', text: at(t.state.scheduled, publishAt), title })
  else if (staged !== null)
    marks.push({ kind: 'staged', text: t.state.staged + since(staged), title })
  else marks.push({ kind: 'draft', text: t.state.draft, title })

  if (live !== null) marks.push(...later('live', t.state.goesLive, publishAt))
  marks.push(...later('draft', t.state.leaves, file.unpublish_at))
  marks.push(...later('staged', t.state.goesOnStage, file.stage_at))
  const [failed] = later('danger', t.state.scheduleFailed, file.schedule_failed_at)
  if (failed !== undefined) marks.push({ ...failed, title: file.schedule_fault?.detail })
  return marks
}

interface NamedVersion {
  readonly text: string
  readonly version: number
}

/** The live version, the staged version if it is another one, and the latest version. */
export function versionsOf(
  { version, live_version: live, staged_version: staged }: StatusFacts,
  { t, formats }: Words,
): readonly NamedVersion[] {
  const named = (kind: keyof Speech['t']['state']['versions'], number: number): NamedVersion => ({
    text: fill(t.state.versions[kind], { version: formats.number(number) }),
    version: number,
  })
  return [
    ...(live === null ? [] : [named('live', live)]),
    ...(staged === null || staged === live ? [] : [named('staged', staged)]),
    named('latest', version),
  ]
}
