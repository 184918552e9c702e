import type { ReactNode } from 'react'
import { useStore } from '../useStore.ts'
import { loadLater } from '../lazy.ts'

const late = loadLater(() => import('./Tooltip.tsx'))

/** A Tooltip whose code is loaded after the page; until then only the control is rendered. */
export function LateTooltip(props: { text: string; side?: 'top' | 'bottom'; children: ReactNode }) {
  const Tooltip = useStore(late)?.Tooltip
  return Tooltip ? <Tooltip {...props} /> : props.children
}
