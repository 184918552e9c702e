import { Link } from 'wouter'
import { Mark } from './Mark.tsx'

/** Mark and wordmark; leads home. */
export function Brand() {
  return (
    <Link className="brand" href="/">
      <Mark />
      <span>Privity</span>
    </Link>
  )
}
