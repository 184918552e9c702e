import { type ComponentProps, type ElementType, useEffect } from 'react'

let locks = 0

type LockProps = ComponentProps<'div'> & { as?: ElementType; allowPinchZoom?: boolean; shards?: unknown }

/**
 * Stands in for the package react-remove-scroll, which Radix uses (see vite.config.ts): that one writes a
 * <style> element, which our Content-Security-Policy refuses. The rule itself is in styles/dialog.css.
 */
export function RemoveScroll({ as: Element = 'div', allowPinchZoom: _zoom, shards: _shards, ...rest }: LockProps) {
  useEffect(() => {
    locks += 1
    document.documentElement.toggleAttribute('data-scroll-locked', true)
    return () => {
      locks -= 1
      document.documentElement.toggleAttribute('data-scroll-locked', locks > 0)
    }
  }, [])
  return <Element {...rest} />
}
