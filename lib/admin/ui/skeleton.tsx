// A placeholder for loading content, with the same height so that nothing jumps. It appears after a short delay, so
// that fast responses do not flash.
//
//   <Skeleton lines={8} />

import { useTexts } from '../texts/use-texts.ts'

export interface SkeletonProps {
  /** Each line has the height of a table row. */
  readonly lines?: number
}

export function Skeleton({ lines = 3 }: SkeletonProps) {
  const { t } = useTexts()
  return (
    <div class="skeleton" role="status">
      <span class="unseen">{t.general.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} class="skeleton-line" />
      ))}
    </div>
  )
}
