import type { ReactNode } from 'react'
import { classes } from '../classes.ts'
import './avatar.css'

function initials(firstName: string, lastName: string): string {
  return [firstName, lastName].map((name) => (name.trim().match(/./u)?.[0] ?? '').toUpperCase()).join('')
}

interface AvatarProps {
  firstName: string
  lastName: string
  size?: 'sm'
  own?: boolean
  /** Presence dot. */
  children?: ReactNode
}

/** A monogram, hidden from screen readers because the name stands beside it. */
export function Avatar({ firstName, lastName, size, own, children }: AvatarProps) {
  return (
    <span className={classes('av', size && `av-${size}`, own && 'av-own')} aria-hidden="true">
      {initials(firstName, lastName)}
      {children}
    </span>
  )
}
