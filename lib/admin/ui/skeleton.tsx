// A placeholder for loading content, with the same height so that nothing jumps. It appears after a short delay, so
// that fast responses do not flash.
//
//   <Skeleton lines={8} />

import { useTexts } from '../texts/use-texts.ts'
import { ProblemNotice } from './notice.tsx'
import type { Requested } from './use-request.ts'

interface SkeletonProps {
  /** Each line has the height of a table row. */
  readonly lines?: number | undefined
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

/**
 * Stands for data of a request that is not there: a placeholder, or the error with a button to retry. Shows nothing once the
 * data has arrived.
 *
 *   <Loading {...found} lines={8} />
 */
export function Loading({ data, error, reload, lines }: LoadingProps) {
  if (error !== undefined) return <ProblemNotice error={error} onRetry={reload} />
  return data === undefined ? <Skeleton lines={lines} /> : null
}

interface LoadingProps
  extends SkeletonProps,
    Pick<Requested<unknown>, 'data' | 'error' | 'reload'> {}
