// Stands where something is loaded, as high as that will be: nothing jumps when it comes. It shows only after a moment,
// so that what is there at once does not flash.
//
//   <Skeleton lines={8} />

import { useTexts } from '../texts/use-texts.ts'

export interface SkeletonProps {
  /** Each as high as a row of a table. */
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
