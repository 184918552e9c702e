import { type MouseEvent, type PointerEvent, type TouchEvent, useMemo, useRef, useState } from 'react'

/** An open menu: its message, its position in the window, and the element that had the focus before. */
export interface OpenMenu {
  messageId: string
  x: number
  y: number
  opener: HTMLElement | null
}

/** Duration of a long press in ms, as on Android and iOS. */
const longPress = 500
/** Distance in px that a finger may move during a long press. */
const tolerance = 10

interface Press {
  x: number
  y: number
  timer: ReturnType<typeof setTimeout>
  hasOpened: boolean
}

/** Id of the message whose row contains the target; only rows with a menu carry one. */
const messageOf = (target: EventTarget): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-menu]')?.dataset['menu'] : undefined

/** Chromium reports the context-menu key as a mouse event, but without a button. */
const isMouse = ({ nativeEvent, button, ctrlKey }: MouseEvent): boolean => {
  const isFinger = 'pointerType' in nativeEvent && nativeEvent.pointerType === 'touch'
  return !isFinger && (button === 2 || ctrlKey)
}

/**
 * State of a message's menu. `openAt` serves its button; on touch devices a long press or the context-menu key opens
 * it. Attach the handlers to the scrolling container.
 */
export function useMessageMenu(isTouch: boolean) {
  const [menu, setMenu] = useState<OpenMenu>()
  const press = useRef<Press>(undefined)

  const { openAt, handlers } = useMemo(() => {
    function open(messageId: string, x: number, y: number) {
      const { activeElement } = document
      setMenu({ messageId, x, y, opener: activeElement instanceof HTMLElement ? activeElement : null })
    }
    function openByPress(messageId: string, x: number, y: number) {
      if (press.current?.hasOpened) return
      if (press.current) press.current.hasOpened = true
      open(messageId, x, y)
    }
    const endPress = () => clearTimeout(press.current?.timer)

    return {
      openAt(messageId: string, element: Element) {
        const { left, bottom } = element.getBoundingClientRect()
        open(messageId, left, bottom)
      },
      handlers: isTouch
        ? {
            onPointerDown({ target, pointerType, clientX: x, clientY: y }: PointerEvent) {
              endPress()
              press.current = undefined
              const messageId = messageOf(target)
              if (messageId === undefined || pointerType === 'mouse') return
              const timer = setTimeout(() => openByPress(messageId, x, y), longPress)
              press.current = { x, y, timer, hasOpened: false }
            },
            onPointerMove({ clientX, clientY }: PointerEvent) {
              const { x, y } = press.current ?? { x: clientX, y: clientY }
              if (Math.hypot(clientX - x, clientY - y) > tolerance) endPress()
            },
            onPointerUp: endPress,
            onPointerCancel: endPress,
            onScroll() {
              endPress()
              setMenu(undefined)
            },
            onTouchEnd(event: TouchEvent) {
              // Prevents the click that would follow and take the focus out of the menu.
              if (press.current?.hasOpened) event.preventDefault()
            },
            onContextMenu(event: MouseEvent) {
              const messageId = messageOf(event.target)
              if (messageId === undefined || isMouse(event)) return
              event.preventDefault()
              endPress()
              openByPress(messageId, event.clientX, event.clientY)
            },
          }
        : {},
    }
  }, [isTouch])

  return { menu, openAt, close: () => setMenu(undefined), handlers }
}
