import { type ReactNode, useSyncExternalStore } from 'react'
import { loadLater } from '../lazy.ts'

const late = loadLater(() => import('./Tooltip.tsx'))

/** A Tooltip whose code comes after the page: until then there is only the control with its name. */
export function LateTooltip(props: { text: string; side?: 'top' | 'bottom'; children: ReactNode }) {
  const Tooltip = useSyncExternalStore(late.subscribe, late.get)?.Tooltip
  return Tooltip ? <Tooltip {...props} /> : props.children
}
