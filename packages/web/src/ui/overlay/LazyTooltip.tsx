import type { ReactNode } from 'react'
import { useStore } from '../useStore.ts'
import { loadLater } from '../lazy.ts'

const tooltip = loadLater(() => import('./Tooltip.tsx'))

/** A Tooltip whose code is loaded after the page; until then only the control is rendered. */
export function LazyTooltip(props: { text: string; side?: 'top' | 'bottom'; children: ReactNode }) {
  const Tooltip = useStore(tooltip)?.Tooltip
  return Tooltip ? <Tooltip {...props} /> : props.children
}
