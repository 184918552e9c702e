import { type ComponentProps, type ElementType, useEffect } from 'react'

let locks = 0

type LockProps = ComponentProps<'div'> & { as?: ElementType; allowPinchZoom?: boolean; shards?: unknown }

/**
 * Replaces the package react-remove-scroll, which Radix uses (see vite.config.ts): it inserts a <style> element, which
 * our Content-Security-Policy refuses. The rule is in dialog.css: the page keeps its width, and overlays also cover the
 * place of the scroll bar.
 */
export function RemoveScroll({ as: Element = 'div', allowPinchZoom: _zoom, shards: _shards, ...rest }: LockProps) {
  useEffect(() => {
    const { documentElement } = document
    if (locks === 0) documentElement.style.setProperty('--scroll-bar', `${innerWidth - documentElement.clientWidth}px`)
    locks += 1
    documentElement.toggleAttribute('data-scroll-locked', true)
    return () => {
      locks -= 1
      documentElement.toggleAttribute('data-scroll-locked', locks > 0)
    }
  }, [])
  return <Element {...rest} />
}
