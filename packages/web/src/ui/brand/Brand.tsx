import type { MouseEvent } from 'react'
import { Link } from 'wouter'
import { Mark } from './Mark.tsx'

/** Mark and wordmark; links to the home page unless `onClick` prevents it. */
export function Brand({ onClick }: { onClick?: (event: MouseEvent<HTMLAnchorElement>) => void }) {
  return (
    <Link className="brand" href="/" onClick={onClick}>
      <Mark />
      <span>Privity</span>
    </Link>
  )
}
