import type { MouseEvent } from 'react'
import { Link } from 'wouter'
import './brand.css'

/** Mark and wordmark; links to the home page unless `onClick` prevents it. */
export function Brand({ onClick }: { onClick?: (event: MouseEvent<HTMLAnchorElement>) => void }) {
  return (
    <Link className="brand" href="/" onClick={onClick}>
      <Mark />
      <span>Privity</span>
    </Link>
  )
}

/** The product's mark: a seal cut into two interlocking halves. Decorative beside the wordmark. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path
        className="mark-a"
        d="M15.1 .03V7.75L22.1 5.75V14.25L8.1 16.25V28.75L15.1 26.75V31.97A16 16 0 0 1 15.1 .03Z"
      />
      <path
        className="mark-b"
        d="M16.9 .03V5.25L23.9 3.25V15.75L9.9 17.75V26.25L16.9 24.25V31.97A16 16 0 0 0 16.9 .03Z"
      />
    </svg>
  )
}
