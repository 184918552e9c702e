import type { ReactNode } from 'react'
import './empty.css'

interface EmptyStateProps {
  title: string
  children?: ReactNode
  /** At most two buttons. */
  actions?: ReactNode
}

/** Empty state of a list: a title and one line of help, without a drawing. */
export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <div className="empty empty-s">
      <h3>{title}</h3>
      {children && <p>{children}</p>}
      {actions && <div className="row wrap">{actions}</div>}
    </div>
  )
}

/** Empty state of a whole pane, with a drawing of two halves, one of which is missing. */
export function EmptyPane({ title, children, actions }: EmptyStateProps) {
  return (
    <div className="empty empty-pane">
      <svg className="sketch" width="168" height="104" viewBox="0 0 168 104" fill="none" aria-hidden="true">
        <path
          d="M8 12a8 8 0 0 1 8-8h58v24l22-6v26L52 54v34l22-6v18H16a8 8 0 0 1-8-8Z"
          className="sketch-own"
          strokeWidth="1.5"
          strokeLinejoin="round"
        />
        <path
          d="M94 4h58a8 8 0 0 1 8 8v80a8 8 0 0 1-8 8H94V76l-22 6V62l44-6V16L94 22Z"
          className="sketch-other"
          strokeWidth="1.5"
          strokeDasharray="4 4"
          strokeLinejoin="round"
        />
        <path d="M22 28h34M22 40h22" className="sketch-text" strokeWidth="1.5" strokeLinecap="round" />
      </svg>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {actions && <div className="row wrap">{actions}</div>}
    </div>
  )
}
