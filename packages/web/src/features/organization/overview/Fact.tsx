import type { ReactNode } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import { messageFor } from '../../../app/callError.ts'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { AfterDelay, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { organizationTexts } from '../texts.ts'

/** A line of a card; shows a skeleton while the value is loading. */
export function Fact({ label, value, swatch }: { label: string; value: string | undefined; swatch?: ReactNode }) {
  return (
    <div>
      <dt>
        {swatch}
        {label}
      </dt>
      <dd>
        {value ?? (
          <AfterDelay>
            <Skeleton width={48} height={16} />
          </AfterDelay>
        )}
      </dd>
    </div>
  )
}

export function OrganizationError({ query }: { query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'> }) {
  return (
    <ErrorState
      message={`${organizationTexts.overview.notLoaded} ${messageFor(query.error, '')}`}
      busy={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  )
}
