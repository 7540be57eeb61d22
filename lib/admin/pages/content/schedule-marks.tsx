// Badges that tell when a file goes live, leaves the site or goes on stage, and whether that failed.
//
//   <ScheduleMarks file={file} />

import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import type { FileRecord } from './records.ts'

const MARKS = [
  { field: 'publish_at', text: 'goesLive', kind: 'live' },
  { field: 'unpublish_at', text: 'leaves', kind: 'draft' },
  { field: 'stage_at', text: 'goesOnStage', kind: 'staged' },
  { field: 'schedule_failed_at', text: 'failed', kind: 'danger' },
] as const

type Scheduled = Pick<FileRecord, (typeof MARKS)[number]['field'] | 'schedule_fault'>

export function ScheduleMarks({ file }: { readonly file: Scheduled }) {
  const { t, formats } = useTexts()
  return (
    <>
      {MARKS.map(({ field, text, kind }) => {
        const { [field]: time } = file
        if (time === null) return undefined
        const mark = fill(t.schedule[text], { when: formats.dateTime(new Date(time)) })
        return (
          <span key={field} title={kind === 'danger' ? file.schedule_fault?.detail : undefined}>
            <Badge kind={kind}>{mark}</Badge>
          </span>
        )
      })}
    </>
  )
}
